import LarderModel
import Foundation

/// A snapshot of the entries of a store, for detecting changes in the next scan.
///
/// It has a digest of each entry, and also its value if that is small and fits into the budget.
struct StoreSnapshot: Sendable {
  /// The snapshot of one entry.
  private struct Known: Sendable {
    /// The fingerprint of the value, if it was read, regardless of its formatting.
    var fingerprint: Fingerprint?
    var stamp: Stamp
    var value: StoredValue?
    /// Whether any later write would change the stamp.
    var isSettled: Bool
    /// The last round in which the entry was seen.
    var round: Int
    /// The expiry of the entry.
    var expires: Date?
    /// Whether the expiry has been reported.
    var isExpired = false
  }

  /// The properties of an entry that are known without reading its value.
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

  /// The maximum size of a value in the snapshot.
  static let maximumValue = 4_096
  /// The resolution of file timestamps in seconds; two writes within it can have the same date.
  private static let clockTick = 0.1

  /// Creates an empty snapshot.
  ///
  /// - Parameter room: The approximate number of bytes for values.
  init(room: Int = 16 << 20) {
    self.room = room
  }

  /// The number of entries in the last round.
  var count: Int { entries.count }

  /// Begins a scan of all entries.
  mutating func beginRound() { round += 1 }

  /// Returns whether a listed entry is unchanged, and if so, marks it as seen.
  ///
  /// This is only possible if entries have modification dates.
  mutating func isUnchanged(_ entry: Entry) -> Bool {
    guard var known = entries[entry.key], known.isSettled, entry.modified != nil,
      known.stamp == Stamp(entry)
    else { return false }
    known.round = round
    entries[entry.key] = known
    return true
  }

  /// Updates the snapshot of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry, which is complete unless its value is not read.
  ///   - listed: The entry as listed, before it was read.
  ///   - time: The date of the listing.
  /// - Returns: The difference, or `nil` if the entry is unchanged.
  mutating func take(_ entry: Entry, listed: Entry, at time: Date) -> EntryDifference? {
    let key = entry.key
    let before = entries[key]
    // A key that a store lists twice would otherwise change in every round.
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

  /// Ends a scan and removes the entries that were not seen.
  ///
  /// - Returns: The removed entries in key order.
  mutating func endRound() -> [EntryDifference] {
    let gone = entries.filter { $0.value.round != round }
    for (key, known) in gone {
      room += Self.cost(known.value)
      entries[key] = nil
    }
    return gone.sorted { $0.key < $1.key }
      .map { EntryDifference(.removed, $0.key, old: $0.value.value) }
  }

  /// Sets the expiry of an entry.
  mutating func setExpiry(_ date: Date?, of key: EntryKey) {
    guard var known = entries[key], known.expires != date else { return }
    known.expires = date
    known.isExpired = false
    entries[key] = known
  }

  /// The next expiry that has not been reported, or `nil` if there is none.
  var nextExpiry: Date? {
    entries.values.lazy.filter { !$0.isExpired }.compactMap(\.expires).min()
  }

  /// Returns the entries that have expired since the last call, in the order of their expiry.
  mutating func takeExpired(at time: Date) -> [EntryDifference] {
    let due = entries.compactMap { key, known -> (key: EntryKey, date: Date)? in
      guard !known.isExpired, let date = known.expires, date <= time else { return nil }
      return (key, date)
    }
    for (key, _) in due { entries[key]?.isExpired = true }
    return due.sorted { ($0.date, $0.key) < ($1.date, $1.key) }
      .map { EntryDifference(.expired, $0.key, value: entries[$0.key]?.value) }
  }

  /// Returns the approximate memory size of a value.
  private static func cost(_ value: StoredValue?) -> Int {
    value.map { $0.storedSize + 64 } ?? 0
  }
}

extension Entry {
  /// The fingerprint of the value and its form, regardless of how a document spells it.
  fileprivate var meaning: Fingerprint? {
    guard isWhole, let value, ownFingerprint != nil else { return fingerprint }
    return Fingerprint(of: value, spelled: nil, form: form)
  }
}
