import LarderModel

/// A selection of the rows for a page of a key tree, from keys in any order.
///
/// It holds about twice as many rows as the page has.
struct TreeSelection {
  private struct Row {
    let key: EntryKey
    let bytes: [UInt8]
    var count = 0

    /// Returns whether the row precedes another; a branch precedes the keys inside it.
    func precedes(_ other: Row) -> Bool {
      if bytes == other.bytes, key != other.key { return key.branchPrefix != nil }
      return bytes.lexicographicallyPrecedes(other.bytes)
    }
  }

  private let query: PrefixSummaryQuery
  private let after: Row?
  private let isBackward: Bool
  private var kept: [EntryKey: Row] = [:]
  private var last: Row?

  init(_ query: PrefixSummaryQuery) {
    self.query = query
    isBackward = query.page.direction == .backward
    after = query.page.after.map { Self.row(query.row(of: $0)) }
  }

  /// Processes a key.
  mutating func take(_ key: EntryKey) {
    guard key.hasPrefix(query.page.prefix) else { return }
    var isInside = false
    for branch in key.branches(by: query.delimiter, below: query.page.prefix) {
      let row = EntryKey.branch(branch)
      let isOpen = query.opened.contains(row)
      keep(row, counts: !isOpen)
      guard isOpen else {
        isInside = true
        break
      }
    }
    if !isInside { keep(key, counts: false) }
  }

  /// Returns the rows of the page, once all keys have been processed.
  consuming func rows() -> [Entry] {
    sorted().prefix(max(query.page.limit, 0)).map { row in
      guard row.key.branchPrefix != nil else { return Entry(key: row.key) }
      let value = row.count > 0 ? StoredValue.integer(Int64(row.count)) : nil
      return Entry(key: row.key, preview: value, type: value?.type)
    }
  }

  private mutating func keep(_ key: EntryKey, counts: Bool) {
    if kept[key] != nil {
      if counts { kept[key]?.count += 1 }
      return
    }
    var row = Self.row(key)
    row.count = counts ? 1 : 0
    if let after, !comesBefore(after, row) { return }
    // A row after the last one of a full page cannot become part of the page.
    if let last, comesBefore(last, row) { return }
    kept[key] = row
    if kept.count > max(512, 2 * min(max(query.page.limit, 0), 1 << 30)) { shrink() }
  }

  private mutating func shrink() {
    let rows = sorted()
    let page = rows.prefix(max(query.page.limit, 1))
    last = page.last
    kept = [:]
    for row in page { kept[row.key] = row }
  }

  private func sorted() -> [Row] {
    kept.values.sorted { comesBefore($0, $1) }
  }

  private func comesBefore(_ left: Row, _ right: Row) -> Bool {
    isBackward ? right.precedes(left) : left.precedes(right)
  }

  private static func row(_ key: EntryKey) -> Row {
    if let branch = key.branchPrefix { return Row(key: key, bytes: Array(branch.utf8)) }
    return Row(key: key, bytes: key.textBytes ?? [])
  }
}
