/// Writes an XML text again in which some of the members are others.
///
/// What is not touched is copied byte by byte; what is new is laid out as its neighbours are.
struct XMLSplicer<Place> {
  typealias Container = EditContainer<Place, XMLOrigin>

  /// The text as it was.
  let bytes: [UInt8]
  /// The text as it becomes.
  var output: [UInt8] = []

  /// Starts with nothing written.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Writes bytes of the text as it was.
  mutating func copy(_ range: Range<Int>) {
    output += bytes[range]
  }

  /// Writes text.
  mutating func write(_ text: String) {
    output += text.utf8
  }

  /// Writes a container that is in the file.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - frame: Where its tags are.
  ///   - layout: How the container itself is indented.
  ///   - name: The name of its tags.
  ///   - writeOpen: Writes the tag that it begins with.
  ///   - writeItem: Writes a member; gets its layout, and a member of the file beside a new one.
  /// - Throws: Why a member cannot be written.
  mutating func write(
    _ container: Container, frame: XMLFrame, layout: XMLLayout, name: String,
    writeOpen: (inout Self) throws(DocumentError) -> Void,
    writeItem: (inout Self, Container.Item, XMLLayout, XMLOrigin?) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try writeOpen(&self)
    let isEmptyTag = frame.close.isEmpty
    if isEmptyTag {
      guard container.count > 0 else { return }
      openEmptyTag()
    }
    var neighbour = container.items.lazy.compactMap(\.origin).first
    for item in container.items {
      if let origin = item.origin {
        copy(origin.loose)
        if item.isRemoved { continue }
        neighbour = origin
        copy(origin.lead)
      } else if item.isRemoved {
        continue
      }
      let lead = neighbour.map { bytes[$0.lead] }
      let inner = lead.map { layout.following($0) } ?? layout.inner
      if item.origin == nil {
        output += inner.line.isEmpty ? Array(lead ?? []) : inner.line
      }
      try writeItem(&self, item, inner, neighbour)
    }
    copy(frame.tail)
    // A container that had no member has its closing tag beside the opening one.
    if neighbour == nil, container.count > 0, bytes[frame.tail].lastLine.isEmpty {
      output += layout.line
    }
    if isEmptyTag { write("</\(name)>") } else { copy(frame.close) }
  }

  /// Makes the tag at the end of the output, which is `<a/>`, one that others follow.
  private mutating func openEmptyTag() {
    output.removeLast(2)
    while output.last?.isXMLSpace == true { output.removeLast() }
    write(">")
  }
}
