import LarderModel

/// Works out which bytes of a file change with its values.
///
/// Every replacement lies inside what is changed, so the rest of the file stays as it is.
struct JSONRevision {
  /// The file before the changes.
  let document: JSONDocument
  /// How the file is laid out.
  let style: JSONStyle
  /// What is replaced so far.
  var edits = ByteEdits()

  /// Prepares to change a file.
  init(_ document: JSONDocument) {
    self.document = document
    style = document.style
  }

  /// The bytes of the file after some changes.
  mutating func bytes(after changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    let draft = JSONDraft(document.items, document.names, document)
    var whole: StoredValue?
    for change in changes {
      if case .set(let path, let value) = change { try Self.checkDepth(value, below: path.count) }
      if !change.path.isEmpty {
        if whole == nil {
          try draft.apply(change, below: 0)
        } else {
          try whole?.apply(change, below: 0)
        }
        continue
      }
      guard case .set(_, let value) = change else {
        throw DocumentError("a JSON file cannot be without a value at its top")
      }
      guard value.type == .dictionary || value.type == .array else {
        throw DocumentError("the top of the file has to be an object or an array")
      }
      whole = value
    }
    if let whole {
      try replace(document.items.range, with: whole, at: nil)
    } else {
      try draft.addEdits(to: &self)
    }
    if edits.isEmpty { return document.bytes }
    return edits.applied(to: document.bytes, in: 0..<document.bytes.count)
  }

  /// Refuses what would be nested so deeply that it could not be read again.
  private static func checkDepth(
    _ value: StoredValue, below depth: Int
  ) throws(DocumentError) {
    let inner: [StoredValue]
    switch value {
    case .array(let values): inner = values
    case .dictionary(let fields): inner = fields.map(\.value)
    default: return
    }
    guard depth < JSONScanner.maximumDepth else {
      throw DocumentError("the value would be nested too deeply")
    }
    for value in inner { try checkDepth(value, below: depth + 1) }
  }
}

/// An item among others, which what is written in its place or beside it looks like.
struct JSONNeighbour {
  let items: JSONItems
  let index: Int

  /// The item.
  var item: JSONItem { items[index] }
}

extension JSONRevision {
  /// The bytes of a new value.
  ///
  /// - Parameters:
  ///   - name: The name in front of it, in an object.
  ///   - value: The value.
  ///   - neighbour: The item that it comes to, or whose value it replaces; nil for the top.
  /// - Returns: The bytes.
  /// - Throws: That JSON has no such value.
  func written(
    name: String? = nil, _ value: StoredValue, at neighbour: JSONNeighbour?
  ) throws(DocumentError) -> [UInt8] {
    var style = style
    var indent: ArraySlice<UInt8> = []
    if let neighbour {
      let start = neighbour.item.whole.lowerBound
      indent = document.indent(ofLineHolding: start)
      if let colon = document.colon(of: neighbour.item) { style.colon = colon }
      if value.hasParts { style.isMultiline = expandsLists(near: neighbour) }
    }
    var writer = JSONWriter(style: style, allowsNonFinite: document.hasNonFinite)
    if let name { writer.write(name: name) }
    try writer.write(value, indent: indent)
    return writer.bytes
  }

  /// Whether lists among some items have a line for each item: as the nearest one, or as the list
  /// that the items are in.
  private func expandsLists(near neighbour: JSONNeighbour) -> Bool {
    let items = neighbour.items
    let near = Array((max(0, neighbour.index - 8)...neighbour.index).reversed())
    let next = neighbour.index + 1
    let behind = next..<max(next, min(items.count, next + 8))
    for index in near + Array(behind) {
      let value = document.bytes[items[index].value]
      guard value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "["), value.count > 2
      else { continue }
      return value.prefix(4_096).contains(where: \.isLineEnd)
    }
    return document.indent(ofLineStartingAt: neighbour.item.whole.lowerBound) != nil
  }
}

extension StoredValue {
  /// Whether the value is a list that is not empty.
  var hasParts: Bool {
    switch self {
    case .array(let values): !values.isEmpty
    case .dictionary(let fields): !fields.isEmpty
    default: false
    }
  }
}
