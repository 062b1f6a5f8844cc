import LarderModel
package import LarderFormats

extension ValueModel {
  /// A position in a value that is independent of its rows.
  enum Place: Sendable, Equatable {
    /// The offset of the first byte on screen.
    case text(Int)
    /// The indexes that lead to the selected tree node, and its row on the screen.
    case member([Int], screenRow: Int)
  }

  /// The current position, or `nil` if it depends on rows only.
  var place: Place? {
    switch content.body {
    case .text(let rows):
      let top = cursor.top - content.head.count
      return top > 0 ? .text(rows.offset(of: top)) : nil
    case .tree(let tree):
      return .member(
        tree.path(at: cursor.index - content.head.count), screenRow: cursor.index - cursor.top)
    case .bytes, .lines: return nil
    }
  }

  /// Restores a position from earlier rows of the same value.
  mutating func go(to place: Place, of old: ValueContent) {
    switch (place, old.body, content.body) {
    case (.text(let offset), .text(let before), .text(var rows)):
      // Usually the bytes are the same.
      guard before.bytes == rows.bytes, offset < rows.bytes.count else { return }
      content.body = .lines([])
      let row = rows.row(of: offset) + content.head.count
      content.body = .text(rows)
      cursor.place(row, atScreenRow: 0, count: row + 1, height: 1)
    case (.member(let path, let screenRow), .tree(let before), .tree(let tree)):
      // A closing bracket has no position of its own.
      let kinds = tree.rows.lazy.map(\.kind)
      guard !kinds.elementsEqual(before.rows.lazy.map(\.kind)) else { return }
      let row = tree.row(of: path) + content.head.count
      cursor.place(
        row, atScreenRow: screenRow, count: content.count, height: max(1, screenRow + 1))
    default: break
    }
  }

  /// Restores the folds of an earlier tree.
  mutating func keepFolds(of old: ValueContent) {
    guard case (.tree(let before), .tree(let tree)) = (old.body, content.body) else { return }
    content.body = .tree(ValueTree(tree.root, width: rowWidth, after: before))
  }
}

extension ValueContent {
  /// Returns the content laid out for a width, with rows of text and trees of a width of their own,
  /// or `nil` if that requires the value.
  func fitting(_ width: Int, rows rowWidth: Int) -> ValueContent? {
    var fitted = self
    switch body {
    case .text(let rows):
      fitted.body = .text(TextRows(rows.bytes, width: rowWidth, note: rows.note))
    case .bytes(let rows): fitted.body = .bytes(HexRows(rows.bytes, width: width))
    case .tree(let tree):
      fitted.body = .tree(ValueTree(tree.root, width: rowWidth, after: tree))
    case .lines: return nil
    }
    return fitted
  }

  /// Creates content from a parsed value, laid out for a width.
  package init(_ content: ComparedContent, width: Int) {
    switch content {
    case .text(let bytes): self.init(.text(TextRows(bytes, width: width)))
    case .bytes(let bytes): self.init(.bytes(HexRows(bytes, width: width)))
    case .structure(let value): self.init(.tree(ValueTree(value, width: width)))
    case .fields(let fields):
      self = ValueFormat.record.rows(.dictionary(fields), width)
    case .scalar(let value): self = ValueFormat.text.rows(value, width)
    case .headed(let head, let inner):
      self.init(inner, width: width)
      self.head = head + self.head
    }
  }
}
