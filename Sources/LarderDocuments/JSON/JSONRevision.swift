import LarderModel

/// Determines the edits of a file that correspond to changes of its values.
///
/// All edits are within the changed values, so the rest of the file is preserved.
struct JSONRevision {
  /// The file before the changes.
  let document: JSONDocument
  /// The layout of the file.
  let style: JSONStyle
  /// The edits so far.
  var edits = ByteEdits()

  /// Creates a revision of a file.
  init(_ document: JSONDocument) {
    self.document = document
    style = document.style
  }

  /// Returns the contents of the file after some changes.
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
        throw DocumentError.noRoot
      }
      guard value.type == .dictionary || value.type == .array else {
        throw DocumentError.scalarRoot
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

  /// Throws if a value would be nested too deeply to be read again.
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
      throw DocumentError.tooDeep
    }
    for value in inner { try checkDepth(value, below: depth + 1) }
  }
}

/// An item whose layout serves as a model for new text in its place or beside it.
struct JSONNeighbor {
  let items: JSONItems
  let index: Int

  /// The item.
  var item: JSONItem { items[index] }
}

extension JSONRevision {
  /// Returns the text of a new value.
  ///
  /// - Parameters:
  ///   - name: The name, in an object.
  ///   - value: The value.
  ///   - neighbor: The item beside which it is inserted or whose value it replaces; nil for the
  ///     root.
  /// - Returns: The bytes.
  /// - Throws: ``DocumentError`` if JSON cannot represent the value.
  func written(
    name: String? = nil, _ value: StoredValue, at neighbor: JSONNeighbor?
  ) throws(DocumentError) -> [UInt8] {
    var style = style
    var indent: ArraySlice<UInt8> = []
    if let neighbor {
      let start = neighbor.item.whole.lowerBound
      indent = document.indent(ofLineHolding: start)
      if let colon = document.colon(of: neighbor.item) { style.colon = colon }
      if value.hasParts { style.isMultiline = expandsLists(near: neighbor) }
    }
    var writer = JSONWriter(style: style, allowsNonFinite: document.hasNonFinite)
    if let name { writer.write(name: name) }
    try writer.write(value, indent: indent)
    return writer.bytes
  }

  /// Whether lists near an item have one item per line, judging by the nearest list or, if there is
  /// none, by the enclosing list.
  private func expandsLists(near neighbor: JSONNeighbor) -> Bool {
    let items = neighbor.items
    let near = Array((max(0, neighbor.index - 8)...neighbor.index).reversed())
    let next = neighbor.index + 1
    let behind = next..<max(next, min(items.count, next + 8))
    for index in near + Array(behind) {
      let value = document.bytes[items[index].value]
      guard value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "["), value.count > 2
      else { continue }
      return value.prefix(4_096).contains(where: \.isLineEnd)
    }
    return document.indent(ofLineStartingAt: neighbor.item.whole.lowerBound) != nil
  }
}

extension StoredValue {
  /// Whether the value is a non-empty list.
  var hasParts: Bool {
    switch self {
    case .array(let values): !values.isEmpty
    case .dictionary(let fields): !fields.isEmpty
    default: false
    }
  }
}
