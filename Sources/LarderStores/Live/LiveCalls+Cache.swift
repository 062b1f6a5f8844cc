import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStoreBase

extension LiveCalls {
  /// Throws an error if the source is not a timed cache.
  func checkCache() throws(StoreError) {
    guard facts.isCache else {
      throw .notTimedCache(facts.name)
    }
  }

  /// Returns the backing store's entry for a key.
  func backing(_ key: EntryKey) async throws -> Entry {
    try checkCache()
    return try await sentBacking(key).entry
  }

  /// Returns the backing store's entry for a key, as it is shown and as it was sent.
  func sentBacking(_ key: EntryKey) async throws -> Sent {
    let name = try key.liveKey.found(key)
    let value = try await source.backing(name).getCancelling()
    let entry = InspectedEntry(key: name, value: value, size: value.size)
    return (try entry.entry(isWhole: true, type: facts.type, at: .now), value)
  }

  /// Returns the cache's statistics.
  func tally() async throws -> CacheTally {
    try checkCache()
    let done = try await source.statistics().getCancelling()
    return CacheTally(hits: done.hits, misses: done.misses, evictions: done.evictions)
  }

  /// Returns the entries as they would be with other expiries.
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

  /// Sets the expiries of entries, one by one.
  ///
  /// If there are several, all are checked first, so that none is set if one is certain to fail.
  ///
  /// - Returns: The updated entries.
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
    // The value is unchanged, so the backing store need not be compared.
    var expected = RemoteDataSource.Expectation.anything
    if let fingerprint = expiry.expecting {
      let cached = try await present(expiry.key)
      guard let cached, cached.entry.fingerprint == fingerprint else {
        throw StoreError.conflict(current: cached?.entry)
      }
      expected = .value(cached.value)
    }
    return try await comparing(expiry.key, "written") {
      try await source.expire(name, at: Self.time(expiry.expires), expecting: expected)
        .getCancelling().entry(isWhole: true, type: facts.type, at: .now)
    }
  }

  /// Calls the program, and translates the errors of a comparison.
  func comparing<Answer>(
    _ key: EntryKey, _ done: String, _ body: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await body()
    } catch InspectionError.conflict {
      throw StoreError.conflict(current: try await present(key)?.entry)
    } catch is CoreError.NotFound {
      throw StoreError.conflict(current: nil)
    } catch let error as CoreError.NotImplemented {
      throw StoreError.notImplemented(error, Messages.nothingWritten)
    }
  }

  /// Refreshes entries of the cache.
  ///
  /// - Returns: The refreshed entries that exist.
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
          // The cache may decide not to store it.
          let found = try await present(key)?.entry
          told(key, found)
          if let found { read.append(found) }
        } catch {
          // The refresh itself succeeded, even if the program ends before it is read.
        }
      }
    }
    return read
  }

  /// Evicts entries from the cache, leaving the backing store unchanged.
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
