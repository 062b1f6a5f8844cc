/// Writes an XML text in which some members have changed.
///
/// Copies unchanged parts byte by byte and lays out new members like their neighbors.
struct XMLSplicer<Place> {
  typealias Container = EditContainer<Place, XMLOrigin>

  /// The original text.
  let bytes: [UInt8]
  /// The new text.
  var output: [UInt8] = []

  /// Creates a splicer with empty output.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Copies a range of the original text.
  mutating func copy(_ range: Range<Int>) {
    output += bytes[range]
  }

  /// Appends new text.
  mutating func write(_ text: String) {
    output += text.utf8
  }

  /// Writes a container of the file.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - frame: The locations of its tags.
  ///   - layout: The indentation of the container.
  ///   - name: The name of its tags.
  ///   - writeOpen: Writes the opening tag.
  ///   - writeItem: Writes a member, given its layout and an existing neighbor.
  /// - Throws: ``DocumentError`` if a member cannot be written.
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
    var neighbor = container.items.lazy.compactMap(\.origin).first
    for item in container.items {
      if let origin = item.origin {
        copy(origin.loose)
        if item.isRemoved { continue }
        neighbor = origin
        copy(origin.lead)
      } else if item.isRemoved {
        continue
      }
      let lead = neighbor.map { bytes[$0.lead] }
      let inner = lead.map { layout.following($0) } ?? layout.inner
      if item.origin == nil {
        output += inner.line.isEmpty ? Array(lead ?? []) : inner.line
      }
      try writeItem(&self, item, inner, neighbor)
    }
    copy(frame.tail)
    // The closing tag of an empty container is on the same line as the opening tag.
    if neighbor == nil, container.count > 0, bytes[frame.tail].lastLine.isEmpty {
      output += layout.line
    }
    if isEmptyTag { write("</\(name)>") } else { copy(frame.close) }
  }

  /// Turns the empty-element tag at the end of the output, such as `<a/>`, into an opening tag.
  private mutating func openEmptyTag() {
    output.removeLast(2)
    while output.last?.isXMLSpace == true { output.removeLast() }
    write(">")
  }
}
