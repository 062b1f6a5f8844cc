import LarderModel
import Foundation

/// What of a list is read again now and then, and what becomes of its rows.
extension KeysModel {
  /// Whether something else is being read of the list.
  var isBusy: Bool {
    load != nil || seeking != nil || changingCache != nil || failure?.mayPass == false
  }

  /// What is to be read again; nil where nothing is.
  ///
  /// Where rows stay in the order of their keys those on screen are enough. In other orders, in trees
  /// and behind filters rows come, go and move for reasons that are not on screen, so that all that
  /// are in memory are read.
  func request(_ height: Int) -> FollowingLook.Request? {
    guard watch == nil, !isPaused else { return nil }
    guard isPlain else { return listRequest }
    let top = cursor.top
    guard top > 0 || !window.hasEarlier else { return nil }
    var query = page(.forward, after: top > 0 ? window.entries[top - 1].key : nil)
    query.limit = max(height, 1) + 1
    return .rows(query)
  }

  /// Whether all entries are listed, in the order of their keys.
  private var isPlain: Bool {
    shownOrder == .key && shownTree == nil && filter == nil && times?.only == nil
  }

  private var listRequest: FollowingLook.Request {
    let anchor = anchor
    var query = page(.forward, after: anchor?.key)
    if isSorted { query.afterRank = anchor.map(shownOrder.rank) }
    let count = window.entries.count - (anchor == nil ? 0 : 1)
    // Where the list ends in memory it may have become longer.
    query.limit = min(
      max(window.hasLater ? count : count + Self.pageSize, 1), EntryWindow.capacity)
    return shownTree.map { .tree($0.query(query)) } ?? .list(query)
  }

  /// The row that the rows in memory come after, which is one of them; nil where they begin with the
  /// first.
  private var anchor: Entry? { window.hasEarlier ? window.entries.first : nil }

  // MARK: Rows on screen

  /// Takes in the rows on screen as they are now.
  ///
  /// - Returns: Whether anything is another than it was.
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

  /// Takes in all rows as they are now: the selected one stays selected, and where it is on screen.
  ///
  /// In an order that rows move in, the screen stays where it is as long as the selected row is on it:
  /// whoever looks at the first ones wants to see which come first.
  ///
  /// - Returns: Whether anything is another than it was.
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

  /// The new place of the selected row, or of the nearest one that is still there.
  private func staying(near index: Int, of old: [Entry], in places: [EntryKey: Int]) -> Int {
    let later = old.dropFirst(index).lazy.compactMap { places[$0.key] }.first
    let earlier = old.prefix(index).reversed().lazy.compactMap { places[$0.key] }.first
    return later ?? earlier ?? index
  }
}

extension StoreError {
  /// Whether the same may succeed later, without another word of the user.
  var mayPass: Bool {
    if case .busy = self { true } else { false }
  }
}

extension Entry {
  /// Whether this is another entry than it was, or counts until another time; how old it is was
  /// computed, and may be off by a little.
  func differs(from old: Entry) -> Bool {
    func isFar(_ one: Date?, _ other: Date?) -> Bool {
      guard let one, let other else { return one != other }
      return abs(one.timeIntervalSince(other)) > 0.5
    }
    return fingerprint != old.fingerprint || size != old.size || isFar(expires, old.expires)
      || isFar(modified, old.modified)
  }

  /// Whether a cache has answered with it since.
  fileprivate func isUsedOtherwise(than old: Entry) -> Bool {
    hits != old.hits || lastUsed != old.lastUsed
  }
}
