import LarderModel
import Foundation

/// What is remembered of a store's entries, so that the next look at it finds what has changed.
///
/// A digest for each key, and the value too while it is small and the budget for values lasts.
struct KnownEntries: Sendable {
  /// One entry as it was.
  private struct Known: Sendable {
    /// Of a value that was read, however it is spelled.
    var fingerprint: Fingerprint?
    var stamp: Stamp
    var value: StoredValue?
    /// Whether the stamp tells of every later write.
    var isSettled: Bool
    /// The round in which it was last seen.
    var round: Int
    /// Until when the value counts.
    var expires: Date?
    /// Whether it is known that this time has come.
    var isExpired = false
  }

  /// What is known of an entry without its value.
  private struct Stamp: Sendable, Equatable {
    var type: StoredType?
    var size: Int?
    var modified: Date?

    init(_ entry: Entry) {
      type = entry.type
      size = entry.size
      modified = entry.modified
    }
  }

  private var entries: [EntryKey: Known] = [:]
  private var round = 0
  private var room: Int

  /// The maximum size of a value that is kept.
  static let maximumValue = 4_096
  /// Two writes within one tick of a file system's clock have the same time.
  private static let clockTick = 0.1

  /// Remembers nothing yet.
  ///
  /// - Parameter room: How many bytes of values are kept, more or less.
  init(room: Int = 16 << 20) {
    self.room = room
  }

  /// How many entries there were in the last round.
  var count: Int { entries.count }

  /// Begins to look at all entries.
  mutating func beginRound() { round += 1 }

  /// Whether an entry is as it was, by what a list says of it; then it counts as seen.
  ///
  /// Only of use where entries have times.
  mutating func isUnchanged(_ entry: Entry) -> Bool {
    guard var known = entries[entry.key], known.isSettled, entry.modified != nil,
      known.stamp == Stamp(entry)
    else { return false }
    known.round = round
    entries[entry.key] = known
    return true
  }

  /// Takes in an entry as it is now.
  ///
  /// - Parameters:
  ///   - entry: The entry; whole, or what a list says of it where its value is not read.
  ///   - listed: What the list said of it before it was read.
  ///   - time: When it was listed.
  /// - Returns: What became of it, nil where nothing did.
  mutating func take(_ entry: Entry, listed: Entry, at time: Date) -> EntryDifference? {
    let key = entry.key
    let before = entries[key]
    // Keys that a store has twice would change with every look.
    if before?.round == round { return nil }
    let value = entry.isWhole ? entry.value : nil
    if let before { room += Self.cost(before.value) }
    var known = Known(
      fingerprint: entry.meaning, stamp: Stamp(listed),
      isSettled: listed.modified.map { $0.distance(to: time) > Self.clockTick } ?? false,
      round: round)
    if let value, (entry.size ?? value.storedSize) <= Self.maximumValue,
      Self.cost(value) <= room
    {
      known.value = value
      room -= Self.cost(value)
    }
    if let before {
      known.expires = before.expires
      known.isExpired = before.isExpired
    }
    entries[key] = known
    guard let before else { return EntryDifference(.added, key, value: value) }
    let isSame =
      if let fingerprint = known.fingerprint, let old = before.fingerprint {
        fingerprint == old
      } else {
        known.stamp == before.stamp
      }
    return isSame ? nil : EntryDifference(.changed, key, value: value, old: before.value)
  }

  /// Ends a look at all entries, and forgets those that were not seen.
  ///
  /// - Returns: What was removed, in the order of the keys.
  mutating func endRound() -> [EntryDifference] {
    let gone = entries.filter { $0.value.round != round }
    for (key, known) in gone {
      room += Self.cost(known.value)
      entries[key] = nil
    }
    return gone.sorted { $0.key < $1.key }
      .map { EntryDifference(.removed, $0.key, old: $0.value.value) }
  }

  /// Takes note when the value of an entry expires.
  mutating func setExpiry(_ date: Date?, of key: EntryKey) {
    guard var known = entries[key], known.expires != date else { return }
    known.expires = date
    known.isExpired = false
    entries[key] = known
  }

  /// When the next value expires that has not yet; nil where none does.
  var nextExpiry: Date? {
    entries.values.lazy.filter { !$0.isExpired }.compactMap(\.expires).min()
  }

  /// What has expired by now, each once, in the order of the times.
  mutating func takeExpired(at time: Date) -> [EntryDifference] {
    let due = entries.compactMap { key, known -> (key: EntryKey, date: Date)? in
      guard !known.isExpired, let date = known.expires, date <= time else { return nil }
      return (key, date)
    }
    for (key, _) in due { entries[key]?.isExpired = true }
    return due.sorted { ($0.date, $0.key) < ($1.date, $1.key) }
      .map { EntryDifference(.expired, $0.key, value: entries[$0.key]?.value) }
  }

  /// What a value that is kept takes, more or less.
  private static func cost(_ value: StoredValue?) -> Int {
    value.map { $0.storedSize + 64 } ?? 0
  }
}

extension Entry {
  /// The digest of what people and programs read: the value, and the type where the value does not
  /// say that, and not how a document spells it.
  fileprivate var meaning: Fingerprint? {
    guard isWhole, let value, ownFingerprint != nil else { return fingerprint }
    return Fingerprint(of: value, spelled: nil, form: form)
  }
}
