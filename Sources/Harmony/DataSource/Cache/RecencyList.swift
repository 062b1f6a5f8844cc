/// Keys in the order of their last use, with every operation in constant time.
struct RecencyList<Key: Hashable & Sendable>: Sendable {
  private struct Links {
    var older: Key?
    var newer: Key?
  }

  private var links: [Key: Links] = [:]

  /// The key whose last use is longest ago.
  private(set) var oldest: Key?
  private var newest: Key?

  /// Makes a key the one that was used last, adding it if it is new.
  mutating func use(_ key: Key) {
    guard newest != key else { return }
    remove(key)
    links[key] = Links(older: newest)
    if let newest { links[newest]?.newer = key }
    newest = key
    oldest = oldest ?? key
  }

  /// Removes a key, if it is there.
  mutating func remove(_ key: Key) {
    guard let gone = links.removeValue(forKey: key) else { return }
    if let older = gone.older { links[older]?.newer = gone.newer } else { oldest = gone.newer }
    if let newer = gone.newer { links[newer]?.older = gone.older } else { newest = gone.older }
  }

  /// Removes all keys.
  mutating func removeAll() {
    self = RecencyList()
  }
}
