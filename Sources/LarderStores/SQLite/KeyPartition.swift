import HarmonySQLite

/// Keys that split a table into ranges of some pages each, for several threads to read.
///
/// They are read from the b-tree that sorts the keys. If that is of an older state than a query
/// sees, the ranges are uneven but never wrong: each row is on one side of any key.
struct KeyPartition {
  /// The maximum number of pages read for one answer, in case the tree is damaged.
  private static let patience = 4_000

  private let file: SQLiteFile
  private let root: UInt32
  private let pageSize: Int
  private let takesText: Bool

  /// Prepares to split a table; nil if its keys are too complex for that.
  ///
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  init?(_ session: SQLiteSession, _ layout: TableLayout, path: String) throws(SQLiteError) {
    guard layout.form == .table, layout.keyColumns.count == 1, let column = layout.keyColumns.first,
      !column.isDescending
    else { return nil }
    // The index that sorts a table WITHOUT ROWID has no page of its own: it is the table.
    let rows = try session.rows(
      "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM main.sqlite_schema "
        + "WHERE (type = 'index' AND name = ?1 AND rootpage > 0) OR (type = 'table' AND name = ?2) "
        + "ORDER BY type",
      [.text(layout.index ?? ""), .text(layout.name)])
    guard case .integer(let root)? = rows.first?.first, case .integer(let size)? = rows.first?.last,
      (512...65_536).contains(size), let root = UInt32(exactly: root),
      let file = try? SQLiteFile.at(path)
    else { return nil }
    self.file = file
    self.root = root
    pageSize = Int(size)
    takesText = column.isPlainText
  }

  /// Returns the first keys after a given one, in ascending order, that split a number of bytes of
  /// leaf pages; unless `isComplete`, the table continues after the last key.
  func keys(after: SQLiteValue?, bytes: Int) -> (keys: [SQLiteValue], isComplete: Bool) {
    let tree = tree
    let count = max(2, bytes / pageSize / max(tree.leavesBetweenKeys, 1))
    var walk = Walk(partition: self, wanted: count)
    walk.visit(root, level: tree.height, after: after)
    return (walk.keys, walk.keys.count < count)
  }

  /// The number of levels above the leaves, and of leaves per page of the lowest such level.
  private var tree: (height: Int, leavesBetweenKeys: Int) {
    var tree = (height: 0, leavesBetweenKeys: 1)
    var number = root
    while tree.height < 20, let page = page(number), let child = page.child(0) {
      tree = (tree.height + 1, page.count + 1)
      number = child
    }
    return tree
  }

  private func page(_ number: UInt32) -> BTreePage? {
    // Page 1 starts with the file header and leads only to the schema.
    guard number > 1 else { return nil }
    return BTreePage(file.bytes(at: Int64(number - 1) * Int64(pageSize), count: pageSize))
  }

  private struct Walk {
    let partition: KeyPartition
    let wanted: Int
    var keys: [SQLiteValue] = []
    private var visited = 0
    private var isLost = false

    init(partition: KeyPartition, wanted: Int) {
      self.partition = partition
      self.wanted = wanted
    }

    /// Collects keys in order from the pages that are two or more levels above the leaves.
    mutating func visit(_ number: UInt32, level: Int, after: SQLiteValue?) {
      guard level >= 2, visited < KeyPartition.patience, let page = partition.page(number) else {
        return
      }
      visited += 1
      var start = 0
      if let after {
        var end = page.count
        while start < end {
          let middle = (start + end) / 2
          guard let isBefore = page.key(middle)?.isOrdered(after: after) else {
            return isLost = true
          }
          if isBefore { end = middle } else { start = middle + 1 }
        }
      }
      for index in start...max(start, page.count) {
        guard let child = page.child(index) else { return isLost = true }
        visit(child, level: level - 1, after: index == start ? after : nil)
        guard !isLost, keys.count < wanted, index < page.count else { return }
        guard let key = page.key(index), partition.takes(key),
          (keys.last ?? after).map({ key.isOrdered(after: $0) == true }) ?? true
        else { return isLost = true }
        keys.append(key)
        if keys.count == wanted { return }
      }
    }
  }

  private func takes(_ key: SQLiteValue) -> Bool {
    if case .text = key { takesText } else { true }
  }
}

extension SQLiteValue {
  /// Whether SQLite sorts this number or text after another; nil for other types.
  func isOrdered(after other: SQLiteValue) -> Bool? {
    switch (self, other) {
    case (.integer(let own), .integer(let other)): own > other
    case (.text(let own), .text(let other)): other.utf8.lexicographicallyPrecedes(own.utf8)
    case (.text, .integer): true
    case (.integer, .text): false
    default: nil
    }
  }
}
