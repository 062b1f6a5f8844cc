import LarderModel
package import LarderFormats

extension ValueModel {
  /// Where somebody is in a value, whatever rows it has.
  enum Place: Sendable, Equatable {
    /// The byte that the first row on screen begins with.
    case text(Int)
    /// The places that lead to what is selected in a tree, and the row of the screen that it is on.
    case member([Int], screenRow: Int)
  }

  /// Where somebody is; nil where rows alone say that.
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

  /// Goes to where somebody was in rows of the same value that were made before.
  mutating func go(to place: Place, of old: ValueContent) {
    switch (place, old.body, content.body) {
    case (.text(let offset), .text(let before), .text(var rows)):
      // Most of the time the rows are the same.
      guard before.bytes == rows.bytes, offset < rows.bytes.count else { return }
      content.body = .lines([])
      let row = rows.row(of: offset) + content.head.count
      content.body = .text(rows)
      cursor.place(row, atScreenRow: 0, count: row + 1, height: 1)
    case (.member(let path, let screenRow), .tree(let before), .tree(let tree)):
      // A closing bracket has no place of its own.
      let kinds = tree.rows.lazy.map(\.kind)
      guard !kinds.elementsEqual(before.rows.lazy.map(\.kind)) else { return }
      let row = tree.row(of: path) + content.head.count
      cursor.place(
        row, atScreenRow: screenRow, count: content.count, height: max(1, screenRow + 1))
    default: break
    }
  }

  /// Folds what was folded in a tree that was shown before.
  mutating func keepFolds(of old: ValueContent) {
    guard case (.tree(let before), .tree(let tree)) = (old.body, content.body) else { return }
    content.body = .tree(ValueTree(tree.root, width: width, after: before))
  }
}

extension ValueContent {
  /// The same in rows of a width; nil where these are made of the value alone.
  func fitting(_ width: Int) -> ValueContent? {
    var fitted = self
    switch body {
    case .text(let rows): fitted.body = .text(TextRows(rows.bytes, width: width, note: rows.note))
    case .bytes(let rows): fitted.body = .bytes(HexRows(rows.bytes, width: width))
    case .tree(let tree):
      fitted.body = .tree(ValueTree(tree.root, width: width, after: tree))
    case .lines: return nil
    }
    return fitted
  }

  /// What a format has read in a value, in rows of a width.
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
