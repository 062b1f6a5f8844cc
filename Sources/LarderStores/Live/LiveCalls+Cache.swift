import Foundation
import Harmony
import HarmonyInspection
import LarderModel

extension LiveCalls {
  /// Refuses what only a cache can do.
  func checkCache() throws(StoreError) {
    guard facts.isCache else {
      throw .notSupported(
        "\(facts.name) is no timed cache, so nothing there expires; nothing was written")
    }
  }

  /// What the backing store holds under a key.
  func backing(_ key: EntryKey) async throws -> Entry {
    try checkCache()
    return try await sentBeneath(key).entry
  }

  /// What the backing store holds under a key: as it is shown, and as it was sent.
  func sentBeneath(_ key: EntryKey) async throws -> Sent {
    guard let name = key.liveKey else {
      throw CoreError.NotFound("no entry has the key \(key.spoken)")
    }
    let value = try await source.backing(name).getCancelling()
    let entry = InspectedEntry(key: name, value: value, size: value.size)
    return (try entry.entry(isWhole: true, type: facts.type, at: .now), value)
  }

  /// What the cache has done so far.
  func tally() async throws -> CacheTally {
    try checkCache()
    let done = try await source.statistics().getCancelling()
    return CacheTally(hits: done.hits, misses: done.misses, evictions: done.evictions)
  }

  /// The entries with other ends, as they would be.
  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try checkCache()
    var entries: [Entry] = []
    for change in changes {
      try scan?.reportRead(entries.count)
      var entry = try change.checked(try await present(change.key)?.entry)
      entry.expires = change.expires
      entries.append(entry)
    }
    return entries
  }

  /// Sets when entries expire, one after the other, and of none where one is going to be
  /// refused anyway.
  ///
  /// - Returns: The entries as they are then.
  func expire(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try checkCache()
    if changes.count > 1 { _ = try await entries(after: changes, scan) }
    var written: [Entry] = []
    for (count, change) in changes.enumerated() {
      try scan?.reportChanged(count)
      try await afterOthers(count) { written.append(try await expire(change)) }
    }
    return written
  }

  private func expire(_ expiry: ExpiryChange) async throws -> Entry {
    guard let name = expiry.key.liveKey else { throw StoreError.conflict(current: nil) }
    // The value stays, so that the backing store is of no account.
    var expected = RemoteDataSource.Expectation.anything
    if let fingerprint = expiry.expecting {
      let cached = try await present(expiry.key)
      guard let cached, cached.entry.fingerprint == fingerprint else {
        throw StoreError.conflict(current: cached?.entry)
      }
      expected = .value(cached.value)
    }
    do {
      let entry = try await source.expire(
        name, at: Self.time(expiry.expires), expecting: expected
      ).getCancelling()
      return try entry.entry(isWhole: true, type: facts.type, at: .now)
    } catch InspectionError.conflict {
      throw StoreError.conflict(current: try await present(expiry.key)?.entry)
    } catch is CoreError.NotFound {
      throw StoreError.conflict(current: nil)
    } catch let error as CoreError.NotImplemented {
      throw StoreError.notSupported("\(error.description); nothing was written")
    }
  }

  /// Reads entries again into the cache.
  ///
  /// - Returns: Those that there are.
  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: (EntryKey, Entry?) -> Void
  ) async throws -> [Entry] {
    try checkCache()
    var read: [Entry] = []
    for (count, key) in keys.enumerated() {
      try scan?.reportChanged(count)
      guard let name = key.liveKey else { continue }
      try await afterOthers(count) {
        do {
          _ = try await source.refresh(name).getCancelling()
        } catch is CoreError.NotFound {
          told(key, nil)
          return
        }
        do {
          // It may not be kept at all.
          let found = try await present(key)?.entry
          told(key, found)
          if let found { read.append(found) }
        } catch {
          // It is read again, whether the program lives to tell it or not.
        }
      }
    }
    return read
  }

  /// Takes entries out of the cache alone.
  func evict(_ keys: [EntryKey], _ scan: Scan?, told: (EntryKey) -> Void) async throws {
    try checkCache()
    for (count, key) in keys.enumerated() {
      try scan?.reportChanged(count)
      guard let name = key.liveKey else { continue }
      try await afterOthers(count) { _ = try await source.evict(name).getCancelling() }
      told(key)
    }
  }
}
