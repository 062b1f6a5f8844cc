import LarderModel

/// Writes a property list in XML after changes.
struct XMLPropertyListWriter {
  private typealias Splicer = XMLSplicer<Range<Int>>
  private typealias Node = EditNode<Range<Int>, XMLOrigin>

  let source: XMLPropertyListSource
  let root: Range<Int>
  private var bytes: [UInt8] { source.bytes }

  init(source: XMLPropertyListSource, root: Range<Int>) {
    self.source = source
    self.root = root
  }

  /// Returns the contents of the file with the values of a tree.
  func write(_ node: EditNode<Range<Int>, XMLOrigin>) throws(DocumentError) -> [UInt8] {
    var splicer = Splicer(bytes)
    splicer.copy(0..<root.lowerBound)
    let space = XMLOrigin(after: 0, head: root.lowerBound..<root.lowerBound, in: bytes).lead
    let first = try source.members(of: root)?.members.first?.origin
    let unit = first.map { XMLLayout.unit(parent: bytes[space], child: bytes[$0.lead]) ?? [] }
    let layout = XMLLayout(
      line: bytes[space].lastLine, unit: unit ?? [UInt8(ascii: "\t")])
    try write(node, layout, to: &splicer)
    splicer.copy(root.upperBound..<bytes.count)
    return splicer.output
  }

  private func write(
    _ node: Node, _ layout: XMLLayout, to splicer: inout Splicer
  ) throws(DocumentError) {
    switch node {
    case .kept(let place): splicer.copy(place)
    case .new(let value, _): try write(value, layout, to: &splicer)
    case .container(let container):
      guard let place = container.place, let frame = try source.frame(of: place) else {
        return try write(container.newValue ?? .null, layout, to: &splicer)
      }
      try splicer.write(
        container, frame: frame, layout: layout, name: container.hasNames ? "dict" : "array",
        writeOpen: { $0.copy(frame.open) },
        writeItem: { splicer, item, layout, neighbor throws(DocumentError) in
          try write(item, layout, neighbor, to: &splicer)
        })
    }
  }

  private func write(
    _ item: EditContainer<Range<Int>, XMLOrigin>.Item, _ layout: XMLLayout,
    _ neighbor: XMLOrigin?, to splicer: inout Splicer
  ) throws(DocumentError) {
    var layout = layout
    if let name = item.name {
      // The whitespace between key and value is that of the member itself or of a neighbor.
      let gap = neighbor.map { self.gap(of: $0) } ?? layout.line[...]
      if let origin = item.origin, !item.isRenamed {
        splicer.copy(origin.head)
      } else {
        splicer.write("<key>\(try XMLText.escaped(name, .key))</key>")
        splicer.output += gap
      }
      if !gap.lastLine.isEmpty { layout = layout.following(gap) }
    }
    try write(item.value, layout, to: &splicer)
  }

  /// Returns the whitespace between the key and the value of a member.
  private func gap(of origin: XMLOrigin) -> ArraySlice<UInt8> {
    let space = bytes[origin.head].lastIndex { !$0.isXMLSpace }.map { $0 + 1 }
    return bytes[(space ?? origin.head.lowerBound)..<origin.head.upperBound]
  }

  private func write(
    _ value: StoredValue, _ layout: XMLLayout, to splicer: inout Splicer
  ) throws(DocumentError) {
    if let (name, text) = try XMLPropertyListScalar.element(of: value) {
      if text.isEmpty, name == "true" || name == "false" {
        splicer.write("<\(name)/>")
      } else if name == "data", !layout.line.isEmpty {
        splicer.write("<data>")
        writeLines(of: text, layout, to: &splicer)
        splicer.output += layout.line
        splicer.write("</data>")
      } else {
        splicer.write("<\(name)>\(text)</\(name)>")
      }
      return
    }
    let inner = layout.inner
    switch value {
    case .array(let values):
      guard !values.isEmpty else { return splicer.write("<array/>") }
      splicer.write("<array>")
      for value in values {
        splicer.output += inner.line
        try write(value, inner, to: &splicer)
      }
      splicer.output += layout.line
      splicer.write("</array>")
    case .dictionary(let fields), .record(let fields):
      guard !fields.isEmpty else { return splicer.write("<dict/>") }
      splicer.write("<dict>")
      for field in fields {
        splicer.output += inner.line
        splicer.write("<key>\(try XMLText.escaped(field.name, .key))</key>")
        splicer.output += inner.line
        try write(field.value, inner, to: &splicer)
      }
      splicer.output += layout.line
      splicer.write("</dict>")
    default: return
    }
  }

  /// Writes Base64 data in lines of up to 76 columns, counting a tab as eight.
  private func writeLines(of text: String, _ layout: XMLLayout, to splicer: inout Splicer) {
    let indentation = layout.line.reduce(0) { width, byte in
      width + (byte == UInt8(ascii: "\t") ? 8 : byte == UInt8(ascii: " ") ? 1 : 0)
    }
    let width = max(16, (76 - indentation) / 4 * 4)
    var rest = text.utf8[...]
    while !rest.isEmpty {
      splicer.output += layout.line
      splicer.output += rest.prefix(width)
      rest = rest.dropFirst(width)
    }
  }
}
