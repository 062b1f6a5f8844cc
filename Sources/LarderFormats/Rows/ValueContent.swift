/// The rows of a value in a format.
package enum ValueBody: Sendable, Equatable {
  /// Lines that are already rendered, one per row.
  case lines([ValueLine])
  /// Text, broken into rows on demand.
  case text(TextRows)
  /// Nested values that can be collapsed.
  case tree(ValueTree)
  /// Bytes, as a hex dump.
  case bytes(HexRows)

  /// The maximum number of bytes of a row that are searched for links, more than any screen shows.
  private static let drawn = 1 << 14

  /// The number of known rows.
  package var count: Int {
    switch self {
    case .lines(let lines): lines.count
    case .text(let text): text.count
    case .tree(let tree): tree.rows.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// Finds the rows up to the given one.
  package mutating func extend(to row: Int) {
    guard case .text(var text) = self else { return }
    // The second reference is released so that the rows are not copied.
    self = .lines([])
    text.extend(to: row)
    self = .text(text)
  }

  /// Returns a row.
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

/// The complete content of the value pane, row by row.
package struct ValueContent: Sendable, Equatable {
  /// The heading lines above the value.
  package var head: [ValueLine]
  /// The value.
  package var body: ValueBody
  /// The section below the value: a heading and the value before another program changed it.
  package var before: (heading: ValueLine, body: ValueBody)?
  /// Whether this is a placeholder for a picture that is still being decoded.
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

  /// The number of known rows.
  package var count: Int {
    head.count + body.count + (before.map { 1 + $0.body.count } ?? 0)
  }

  /// Finds the rows up to the given one.
  package mutating func extend(to row: Int) {
    // The offset of the section below requires that all rows above are known.
    body.extend(to: before == nil ? row.saturatingAdding(-head.count) : .max)
    if let below = before {
      var rows = below.body
      before = nil
      rows.extend(to: row.saturatingAdding(-head.count - body.count - 1))
      before = (below.heading, rows)
    }
  }

  /// Returns a row.
  package func line(at row: Int, marking search: ValueSearch?, selected: Int?) -> ValueLine {
    if row < head.count { return head.indices.contains(row) ? head[row] : ValueLine([]) }
    let own = row - head.count
    if own < body.count { return body.line(at: own, marking: search, selected: selected) }
    guard let before else { return ValueLine([]) }
    let old = own - body.count - 1
    return old < 0 ? before.heading : before.body.line(at: old, marking: search, selected: nil)
  }
}
