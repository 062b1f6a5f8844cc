import LarderModel

extension ValueTree {
  /// Finds the next or previous member that contains a text, including collapsed ones, and reveals
  /// it.
  ///
  /// - Parameters:
  ///   - search: The search, applied to names and to values without members.
  ///   - row: The row at which to start.
  ///   - isForward: Whether to search forward.
  ///   - isCancelled: Whether to stop early; checked periodically.
  /// - Returns: The row and whether the search wrapped around, or nil if nothing matches.
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
    // A long text spans several rows.
    let own = rows[first...].prefix {
      $0.place == rows[first].place && $0.parent == rows[first].parent
    }
    let match = own.indices.first { search.isIn(rows[$0].line.text) }
    return (match ?? first, isAround)
  }
}

/// A depth-first search through all members of a value.
private struct TreeWalk {
  /// The match in the direction of the search.
  private(set) var found: [Int]?
  /// The match after wrapping around.
  private(set) var around: [Int]?
  private let search: ValueSearch
  private let start: [Int]
  private let isForward: Bool
  private let isCancelled: () -> Bool
  private var path: [Int] = []
  /// The number of values visited.
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

  /// Visits a value and its members, and returns whether the search is finished.
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
