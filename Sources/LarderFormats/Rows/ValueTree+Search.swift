import LarderModel

extension ValueTree {
  /// Finds the next or the previous member that holds a text, also in what is folded, and unfolds it.
  ///
  /// - Parameters:
  ///   - search: What is looked for, in names and in values without members.
  ///   - row: Where to go on.
  ///   - isForward: Whether to look after the row, and not before it.
  ///   - isCancelled: Whether nobody waits for it any more; asked now and then.
  /// - Returns: The row, and whether it was found from the other end; nil where nothing matches.
  package mutating func find(
    _ search: ValueSearch, from row: Int, isForward: Bool,
    isCancelled: @escaping () -> Bool = { false }
  ) -> (row: Int, isAround: Bool)? {
    var walk = TreeWalk(
      search, from: path(at: row), isForward: isForward, isCancelled: isCancelled)
    _ = walk.look(at: root, name: nil)
    guard !isCancelled(), let path = walk.found ?? walk.around else { return nil }
    let isAround = walk.found == nil
    reveal(path)
    let first = self.row(of: path)
    // A long text has several rows.
    let own = rows[first...].prefix {
      $0.place == rows[first].place && $0.parent == rows[first].parent
    }
    let match = own.indices.first { search.isIn(rows[$0].line.text) }
    return (match ?? first, isAround)
  }
}

/// A search through all members of a value, in their order.
private struct TreeWalk {
  /// What was found after the start, or before it.
  private(set) var found: [Int]?
  /// What was found from the other end.
  private(set) var around: [Int]?
  private let search: ValueSearch
  private let start: [Int]
  private let isForward: Bool
  private let isCancelled: () -> Bool
  private var path: [Int] = []
  /// How many values were looked at.
  private var count = 0

  init(
    _ search: ValueSearch, from start: [Int], isForward: Bool,
    isCancelled: @escaping () -> Bool
  ) {
    self.isCancelled = isCancelled
    self.search = search
    self.start = start
    self.isForward = isForward
  }

  /// Looks at a value and all in it; says whether the search is over.
  mutating func look(at value: StoredValue, name: String?) -> Bool {
    count += 1
    if count % 1_024 == 0, isCancelled() { return true }
    if name.map({ search.isIn($0) }) == true || search.isIn(value), take() { return true }
    guard let count = value.memberCount else { return false }
    for place in 0..<count {
      guard let member = value.member(place) else { continue }
      path.append(place)
      let isOver = look(at: member.value, name: member.name)
      path.removeLast()
      if isOver { return true }
    }
    return false
  }

  private mutating func take() -> Bool {
    if isForward {
      if start.lexicographicallyPrecedes(path) {
        found = path
        return true
      }
      if around == nil { around = path }
    } else if path.lexicographicallyPrecedes(start) {
      found = path
    } else {
      around = path
    }
    return false
  }
}
