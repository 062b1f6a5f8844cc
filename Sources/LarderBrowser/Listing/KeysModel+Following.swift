import LarderModel
import Foundation

/// Polling a live process, and updating the rows.
extension KeysModel {
  /// Whether the list is being read or changed in another way, or has failed for good.
  var isBusy: Bool {
    load != nil || seeking != nil || changingCache != nil || failure?.mayPass == false
  }

  /// Returns the query for the next poll, or `nil` if the rows need not be read.
  ///
  /// In key order, the visible rows are enough. In other orders, in trees and with filters, rows
  /// may come, go and move because of entries that are not visible, so all rows in memory are read.
  func request(_ height: Int) -> PollResult.Request? {
    guard watch == nil, !isPaused else { return nil }
    guard isPlain else { return listRequest }
    let top = cursor.top
    guard top > 0 || !window.hasEarlier else { return nil }
    var query = page(.forward, after: top > 0 ? window.entries[top - 1].key : nil)
    query.limit = max(height, 1) + 1
    return .rows(query)
  }

  /// Whether all entries are listed, in key order.
  private var isPlain: Bool {
    shownOrder == .key && shownTree == nil && filter == nil && times?.only == nil
  }

  private var listRequest: PollResult.Request {
    let anchor = anchor
    var query = page(.forward, after: anchor?.key)
    if isSorted { query.afterRank = anchor.map(shownOrder.rank) }
    let count = window.entries.count - (anchor == nil ? 0 : 1)
    // At the end of the list, there may be more rows now.
    query.limit = min(
      max(window.hasLater ? count : count + Self.pageSize, 1), EntryWindow.capacity)
    return shownTree.map { .tree($0.query(query)) } ?? .list(query)
  }

  /// The first row in memory, after which the others are read, or `nil` if the window begins at the
  /// start of the list.
  private var anchor: Entry? { window.hasEarlier ? window.entries.first : nil }

  // MARK: Rows on screen

  /// Updates the visible rows.
  ///
  /// - Returns: Whether anything has changed.
  mutating func take(_ entries: [Entry], isEnd: Bool, height: Int) -> Bool {
    let top = cursor.top
    let known = Dictionary(entries.map { ($0.key, $0) }) { $1 }
    let last = entries.last?.key
    var isOther = false
    for old in Array(window.entries.dropFirst(top)) {
      if let new = known[old.key] {
        guard new.differs(from: old) || new.isUsedOtherwise(than: old) else { continue }
        isOther = isOther || new.differs(from: old)
        window.replace(new)
      } else if isEnd || last.map({ old.key < $0 }) ?? false {
        isOther = true
        remove(old.key, height: height)
      }
    }
    guard window.isSorted else { return isOther }
    for new in entries where window.row(of: new.key) == nil {
      guard let row = window.insert(new) else { continue }
      isOther = true
      total = total?.changed(by: 1)
      let isAbove = row <= cursor.index && window.entries.count > 1
      cursor.shift(by: isAbove ? 1 : 0, count: window.entries.count, height: height)
    }
    return isOther
  }

  private mutating func remove(_ key: EntryKey, height: Int) {
    guard let row = window.row(of: key) else { return }
    loseMark(of: key)
    window.remove(key)
    total = total?.changed(by: -1)
    cursor.shift(by: row < cursor.index ? -1 : 0, count: window.entries.count, height: height)
  }

  // MARK: All rows in memory

  /// Updates all rows and keeps the selected entry on the same row of the screen.
  ///
  /// In a sorted list, the screen does not scroll as long as the selected row is visible, so that
  /// the top rows stay in view.
  ///
  /// - Returns: Whether anything has changed.
  mutating func takeList(_ entries: [Entry], isEnd: Bool, height: Int) -> Bool {
    let old = window.entries
    var rows = entries
    if let anchor, !entries.contains(where: { $0.key == anchor.key }) { rows.insert(anchor, at: 0) }
    let isSame =
      rows.count == old.count
      && zip(rows, old).allSatisfy {
        $0.key == $1.key && $0.value == $1.value && !$0.differs(from: $1)
          && !$0.isUsedOtherwise(than: $1)
      }
    guard !isSame || window.hasLater == isEnd else { return false }
    let places = Dictionary(rows.indices.map { (rows[$0].key, $0) }) { first, _ in first }
    let (index, top) = (cursor.index, cursor.top)
    let row = staying(near: index, of: old, in: places)
    window.take(rows, hasLater: !isEnd)
    resume = [:]
    let isOnScreen = isSorted && (top..<(top + max(height, 1))).contains(row)
    cursor.place(
      row, atScreenRow: isOnScreen ? row - top : index - top, count: rows.count, height: height)
    if filter == nil, times?.only == nil, shownTree == nil, !window.hasEarlier, isEnd {
      for entry in old where places[entry.key] == nil { loseMark(of: entry.key) }
    }
    return true
  }

  /// Returns the new position of the selected row, or of the nearest one that still exists.
  private func staying(near index: Int, of old: [Entry], in places: [EntryKey: Int]) -> Int {
    let later = old.dropFirst(index).lazy.compactMap { places[$0.key] }.first
    let earlier = old.prefix(index).reversed().lazy.compactMap { places[$0.key] }.first
    return later ?? earlier ?? index
  }
}

extension StoreError {
  /// Whether a retry may succeed without the user.
  var mayPass: Bool {
    if case .busy = self { true } else { false }
  }
}

extension Entry {
  /// Returns whether the entry has changed, including its size, expiry or modification time.
  ///
  /// Times are compared with a tolerance of half a second, because they may be computed from an
  /// age.
  func differs(from old: Entry) -> Bool {
    func isFar(_ one: Date?, _ other: Date?) -> Bool {
      guard let one, let other else { return one != other }
      return abs(one.timeIntervalSince(other)) > 0.5
    }
    return fingerprint != old.fingerprint || size != old.size || isFar(expires, old.expires)
      || isFar(modified, old.modified)
  }

  /// Returns whether a cache has been asked for the entry since.
  fileprivate func isUsedOtherwise(than old: Entry) -> Bool {
    hits != old.hits || lastUsed != old.lastUsed
  }
}
