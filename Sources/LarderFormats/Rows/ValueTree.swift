package import LarderModel

/// A nested value as rows, without the members of collapsed values.
///
/// Values are expanded down to a level, except those that were toggled individually. Rows are
/// created only for expanded values, up to a limit.
package struct ValueTree: Sendable, Equatable {
  /// The maximum number of rows.
  package static let maximumRows = 100_000

  /// The root value.
  package let root: StoredValue
  package private(set) var rows: [TreeRow] = []
  /// The default number of expanded levels.
  private let depths: Int
  /// The number of expanded levels that the user chose.
  private var chosenLevels: Int?
  /// The key paths whose state differs from their level's default.
  private var exceptions: Set<[Int]> = []
  private let width: Int

  /// Expands as many levels as fit within the limit, or those that were expanded in the previous
  /// tree.
  package init(_ root: StoredValue, width: Int, after previous: ValueTree? = nil) {
    self.root = root
    self.width = width
    depths = Self.depths(of: root)
    chosenLevels = previous?.chosenLevels
    exceptions = previous?.exceptions ?? []
    makeRows()
  }

  /// Returns the number of levels that can be expanded within the row limit.
  private static func depths(of root: StoredValue) -> Int {
    var level = [root]
    var rows = 1
    var depth = 0
    while !level.isEmpty {
      var next: [StoredValue] = []
      for value in level {
        guard let count = value.memberCount else { continue }
        rows += count + 1
        guard rows <= maximumRows || depth == 0 else { return depth }
        for place in 0..<min(count, maximumRows) {
          if let member = value.member(place)?.value, member.memberCount != nil {
            next.append(member)
          }
        }
      }
      depth += 1
      level = next
    }
    return depth
  }

  // MARK: Rows

  private mutating func makeRows() {
    rows = []
    var path: [Int] = []
    add(root, name: nil, place: 0, parent: nil, path: &path, isLast: true)
  }

  private func isOpen(_ path: [Int]) -> Bool {
    (path.count < chosenLevels ?? depths) != exceptions.contains(path)
  }

  private mutating func add(
    _ value: StoredValue, name: String?, place: Int, parent: Int?, path: inout [Int], isLast: Bool,
    isRepeated: Bool = false
  ) {
    func row(_ kind: TreeRow.Kind, isLast: Bool = isLast) -> TreeRow {
      TreeRow(
        kind: kind, value: value, name: name, place: place, parent: parent, depth: path.count,
        isLast: isLast, isRepeated: isRepeated)
    }
    guard let count = value.memberCount, count > 0 else {
      return addLeaf(row(.leaf))
    }
    guard isOpen(path) else { return rows.append(row(.folded)) }
    let own = rows.count
    rows.append(row(.opening))
    var names: Set<ExactText> = []
    for place in 0..<count {
      guard rows.count < Self.maximumRows else {
        rows.append(
          TreeRow(
            kind: .note(Messages.notShown(count - place, of: count)), value: value, name: nil,
            place: place, parent: own, depth: path.count + 1, isLast: true))
        break
      }
      guard let member = value.member(place) else { continue }
      path.append(place)
      add(
        member.value, name: member.name, place: place, parent: own, path: &path,
        isLast: place == count - 1,
        isRepeated: member.name.map { !names.insert(ExactText($0)).inserted } ?? false)
      path.removeLast()
    }
    rows.append(row(.closing))
  }

  private mutating func addLeaf(_ row: TreeRow) {
    rows.append(row)
    guard !row.surelyFits(width) else { return }
    let pieces = RowBreaker(width: width).rows(of: row.line)
    guard pieces.count > 1 else { return }
    rows.removeLast()
    for piece in pieces {
      rows.append(
        TreeRow(
          kind: .piece(piece), value: row.value, name: row.name, place: row.place,
          parent: row.parent, depth: row.depth, isLast: row.isLast))
    }
  }

  // MARK: Places

  /// Returns the member indices that lead to the value on a row.
  package func path(at row: Int) -> [Int] {
    var places: [Int] = []
    var current = rows.indices.contains(row) ? rows[row] : nil
    if case .note = current?.kind { current = current?.parent.map { rows[$0] } }
    while let at = current, let parent = at.parent {
      places.append(at.place)
      current = rows[parent]
    }
    return places.reversed()
  }

  /// Returns the value on a row.
  package func value(at row: Int) -> StoredValue? {
    rows.indices.contains(row) ? rows[row].value : nil
  }

  /// Returns the first row of the value at a path, or of the collapsed ancestor that contains it.
  package func row(of path: [Int]) -> Int {
    var row = 0
    for place in path {
      guard rows.indices.contains(row), case .opening = rows[row].kind else { return row }
      let own = row
      let members = (own + 1)..<rows.count
      guard
        let found = members.first(where: { rows[$0].parent == own && rows[$0].place == place })
      else { return own }
      row = found
    }
    return row
  }

  /// Returns the row of the parent value, or nil at the root.
  package func parent(of row: Int) -> Int? {
    rows.indices.contains(row) ? rows[row].parent : nil
  }

  // MARK: Folding

  /// Whether the value on a row is expanded, or nil if it has no members.
  package func isOpen(at row: Int) -> Bool? {
    guard rows.indices.contains(row) else { return nil }
    return switch rows[row].kind {
    case .opening, .closing: true
    case .folded: false
    case .leaf, .piece, .note: nil
    }
  }

  /// Expands or collapses the value on a row.
  ///
  /// - Returns: The value's row after the change.
  package mutating func toggle(at row: Int) -> Int {
    guard isOpen(at: row) != nil else { return row }
    let path = path(at: row)
    exceptions.formSymmetricDifference([path])
    makeRows()
    return self.row(of: path)
  }

  /// Expands the given number of levels and collapses the rest.
  package mutating func open(levels: Int) {
    chosenLevels = levels
    exceptions = []
    makeRows()
  }

  /// The depth of the deepest expanded value.
  package var shownLevels: Int {
    rows.reduce(0) { depth, row in
      if case .opening = row.kind { max(depth, row.depth + 1) } else { depth }
    }
  }

  /// Expands all ancestors of the value at a path.
  package mutating func reveal(_ path: [Int]) {
    var isChanged = false
    for depth in path.indices where !isOpen(Array(path[..<depth])) {
      exceptions.formSymmetricDifference([Array(path[..<depth])])
      isChanged = true
    }
    if isChanged { makeRows() }
  }
}
