import Foundation

/// What was seen of the rows on screen and of the value, when a program was looked at again.
package struct FollowingLook: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// The entries that were asked for; nil where none were, or they could not be read.
  package var entries: [Entry]?
  /// The entry whose value is shown; nil where it was not asked for, or is gone.
  package var entry: Entry?
  /// How long it took.
  package var duration: Duration

  package init(token: Int, entries: [Entry]?, entry: Entry?, duration: Duration) {
    self.token = token
    self.entries = entries
    self.entry = entry
    self.duration = duration
  }
}

extension BrowserState {
  /// How long nobody looks at a program again.
  private static let followingPause = Duration.seconds(2)
  /// The most entries that are added up again whenever one of them is another.
  private static let quickCount = 2_000

  /// Looks again after a while at what is on screen of a running program, which does not tell what
  /// it changes.
  ///
  /// Whoever looks into a program expects to see it as it is, and whoever reads does not expect that
  /// rows move away: the rows on screen and the value are brought up to date where they stand.
  mutating func follow(after pause: Duration = followingPause) -> [BrowserEffect] {
    guard let store = keys?.store, store.capabilities.contains(.departs) else { return [] }
    let token = newToken()
    keys?.following = token
    return [.waitToFollow(pause, token: token)]
  }

  /// Asks for what is on screen, unless something else is being read, or is typed.
  mutating func lookAgain(token: Int) -> [BrowserEffect] {
    guard let model = keys, model.following == token else { return [] }
    guard overlay == nil, opening == nil, !model.isAway, let look = keys?.look(viewport.keys)
    else { return follow() }
    let key = cache == nil ? value?.entry.value?.key : nil
    guard look.query != nil || key != nil else { return follow() }
    return [.lookAgain(model.store.reference, look.query, key, token: token)]
  }

  /// Brings the rows on screen and the value up to date.
  mutating func followed(_ look: FollowingLook) -> [BrowserEffect] {
    guard let model = keys, model.following == look.token else { return [] }
    // So that the program is never busy with this for more than a twentieth of the time.
    let effects = follow(after: max(Self.followingPause, look.duration * 20))
    guard overlay == nil, !model.isAway, model.look(viewport.keys) != nil else { return effects }
    return effects + takeRows(look) + takeValue(look)
  }

  private mutating func takeRows(_ look: FollowingLook) -> [BrowserEffect] {
    guard let before = keys, let entries = look.entries,
      let query = before.look(viewport.keys)?.query
    else { return [] }
    let isOther = keys?.take(entries, isEnd: entries.count < query.limit, height: viewport.keys)
    guard let isOther, isOther else { return [] }
    let isMoved = keys?.selected?.key != before.selected?.key
    let sums: [BrowserEffect] =
      if case .exactly(let count)? = keys?.total, count <= Self.quickCount { sumTimes() } else {
        []
      }
    return (isMoved ? readSelected() : []) + loadNeeded() + sums
  }

  private mutating func takeValue(_ look: FollowingLook) -> [BrowserEffect] {
    guard cache == nil, let new = look.entry, let model = keys,
      case .loaded(let old)? = value?.entry, old.key == new.key,
      model.selected?.key == new.key, new.differs(from: old)
    else { return [] }
    let token = awaitValue(of: new.key, in: model.store)
    return entryRead(token: token, .success(new))
  }
}

extension KeysModel {
  /// What is to be read again.
  fileprivate struct Look {
    var query: EntryPageQuery?
  }

  /// What is to be read again of the rows on screen; nil while something is being read.
  ///
  /// There is no query in other orders than that of the keys, in trees and behind filters: the rows
  /// that come and go there are found by a look at all entries.
  fileprivate func look(_ height: Int) -> Look? {
    guard load == nil, seeking == nil, failure == nil, changingCache == nil else { return nil }
    let top = cursor.top
    guard shownOrder == .key, shownTree == nil, filter == nil, watch == nil, times?.only == nil,
      top > 0 || !window.hasEarlier
    else { return Look(query: nil) }
    var query = page(.forward, after: top > 0 ? window.entries[top - 1].key : nil)
    query.limit = max(height, 1) + 1
    return Look(query: query)
  }

  /// Takes in the rows on screen as they are now.
  ///
  /// - Returns: Whether anything is another than it was.
  fileprivate mutating func take(_ entries: [Entry], isEnd: Bool, height: Int) -> Bool {
    let top = cursor.top
    let known = Dictionary(entries.map { ($0.key, $0) }) { $1 }
    let last = entries.last?.key
    var isOther = false
    for old in Array(window.entries.dropFirst(top)) {
      if let new = known[old.key] {
        guard new.differs(from: old) || new.hits != old.hits || new.lastUsed != old.lastUsed
        else { continue }
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
}

extension Entry {
  /// Whether this is another entry than it was, or counts until another time; how old it is was
  /// computed, and may be off by a little.
  fileprivate func differs(from old: Entry) -> Bool {
    func isFar(_ one: Date?, _ other: Date?) -> Bool {
      guard let one, let other else { return one != other }
      return abs(one.timeIntervalSince(other)) > 0.5
    }
    return fingerprint != old.fingerprint || size != old.size || isFar(expires, old.expires)
      || isFar(modified, old.modified)
  }
}
