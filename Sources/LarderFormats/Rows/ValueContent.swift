/// The rows of a value in a format.
package enum ValueBody: Sendable, Equatable {
  /// Lines that are all made, one row each.
  case lines([ValueLine])
  /// Text, broken into rows.
  case text(TextRows)
  /// Values in values, that can be folded.
  case tree(ValueTree)
  /// Bytes in digits.
  case bytes(HexRows)

  /// How many bytes of a row are looked at for addresses, more than any screen has columns.
  private static let drawn = 1 << 14

  /// How many rows are known.
  package var count: Int {
    switch self {
    case .lines(let lines): lines.count
    case .text(let text): text.count
    case .tree(let tree): tree.rows.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// Makes known the rows up to one.
  package mutating func extend(to row: Int) {
    guard case .text(var text) = self else { return }
    // Held once only, so that its rows are not copied.
    self = .lines([])
    text.extend(to: row)
    self = .text(text)
  }

  /// A row.
  package func line(at row: Int, marking search: ValueSearch?, selected: Int?) -> ValueLine {
    switch self {
    case .text(let text): return text.line(at: row, marking: search)
    case .bytes(let bytes): return bytes.line(at: row, marking: search, selected: selected)
    case .lines(let lines):
      guard lines.indices.contains(row) else { return ValueLine([]) }
      return (search?.marking(lines[row]) ?? lines[row]).linkingAddresses(inFirst: Self.drawn)
    case .tree(let tree):
      guard tree.rows.indices.contains(row) else { return ValueLine([]) }
      let line = tree.rows[row].line
      return (search?.marking(line) ?? line).linkingAddresses(inFirst: Self.drawn)
    }
  }
}

/// Everything that the pane of a value shows, row by row.
package struct ValueContent: Sendable, Equatable {
  /// What is said of the value, above it.
  package var head: [ValueLine]
  /// The value.
  package var body: ValueBody
  /// What is below the value: a heading, and the value that it was before others changed it.
  package var before: (heading: ValueLine, body: ValueBody)?
  /// Whether it stands in the place of a picture that is not decoded yet.
  package var awaitsPicture = false

  package init(head: [ValueLine] = [], _ body: ValueBody = .lines([])) {
    self.head = head
    self.body = body
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.head == right.head && left.body == right.body
      && left.awaitsPicture == right.awaitsPicture
      && left.before?.heading == right.before?.heading && left.before?.body == right.before?.body
  }

  /// How many rows are known.
  package var count: Int {
    head.count + body.count + (before.map { 1 + $0.body.count } ?? 0)
  }

  /// Makes known the rows up to one.
  package mutating func extend(to row: Int) {
    // What is below has its place only when all that is above is known.
    body.extend(to: before == nil ? row.saturatingAdding(-head.count) : .max)
    if let below = before {
      var rows = below.body
      before = nil
      rows.extend(to: row.saturatingAdding(-head.count - body.count - 1))
      before = (below.heading, rows)
    }
  }

  /// A row.
  package func line(at row: Int, marking search: ValueSearch?, selected: Int?) -> ValueLine {
    if row < head.count { return head.indices.contains(row) ? head[row] : ValueLine([]) }
    let own = row - head.count
    if own < body.count { return body.line(at: own, marking: search, selected: selected) }
    guard let before else { return ValueLine([]) }
    let old = own - body.count - 1
    return old < 0 ? before.heading : before.body.line(at: old, marking: search, selected: nil)
  }
}
