package import LarderModel
package import Foundation
import Harmony

/// Entries of other stores, which are written here with their expiries.
extension Store {
  /// An entry to write, with its expiry where the store writes that with the value.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - expires: When it expires; the distant future for never.
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` where the store cannot say it.
  package func timed(_ entry: Entry, until expires: Date) async throws -> Entry {
    let end = expires == .distantFuture ? nil : expires
    guard let timed = try await expiry?.entry(entry, expiring: end), let value = timed.value
    else { return entry }
    return Entry(key: entry.key, value: value, expires: expires, form: timed.form)
  }

  /// Entries of another store as this one writes them, with their expiries.
  ///
  /// - Throws: ``StoreError`` where it cannot hold exactly the instant of one.
  package func imported(_ entries: [Entry]) async throws -> [Entry] {
    guard cache != nil || expiry != nil else { return entries }
    var imported: [Entry] = []
    for var entry in entries {
      if cache == nil, let value = entry.value {
        entry.value = try await self.value(value, until: entry.expires, of: entry.key)
      } else if let expires = entry.expires {
        entry = try await timed(entry, until: expires)
      }
      imported.append(entry)
    }
    return imported
  }

  /// Sets the expiries of entries that were written, where they are stored beside the values.
  ///
  /// - Parameters:
  ///   - written: The entries as the store holds them.
  ///   - imported: The entries as ``imported(_:)`` returned them.
  ///   - left: Told of the expiries that could not be set.
  /// - Returns: Why they could not be set; nil where they were.
  package func setExpiries(
    of written: [Entry], as imported: [Entry], leaving left: inout TransferReport
  ) async -> StoreError? {
    guard setsExpiriesAfterWriting else { return nil }
    let ends = Dictionary(
      imported.compactMap { entry in
        entry.expires.flatMap { $0 == .distantFuture ? nil : (entry.key, $0) }
      }
    ) { $1 }
    let expiries = written.compactMap { entry in
      ends[entry.key].map { ExpiryChange(entry.key, expires: $0, expecting: entry.fingerprint) }
    }
    guard !expiries.isEmpty else { return nil }
    do {
      _ = try await setExpiries(expiries)
      return nil
    } catch {
      for _ in expiries { left.addExpiry() }
      return StoreError(error)
    }
  }

  /// The keys of entries that were written, and that a cache gave other expiries of its own.
  package func keysWithOtherExpiries(_ written: [Entry], than imported: [Entry]) -> [EntryKey] {
    guard cache != nil else { return [] }
    let stored = Dictionary(written.map { ($0.key, $0) }) { $1 }
    return imported.compactMap { entry in
      guard let expires = entry.expires, let stored = stored[entry.key],
        !stored.counts(until: expires)
      else { return nil }
      return entry.key
    }
  }

  /// The entries as they would be stored after some changes, where nothing is written; nil where the
  /// store cannot tell, or takes no changes.
  ///
  /// - Throws: Why the store would not make the changes, as far as it can tell without them.
  package func trial(_ changes: [EntryChange], areExact: Bool = false) async throws -> [Entry]? {
    // A store that was opened read-only is not even locked.
    guard !changes.isEmpty, capabilities.contains(.writable) else { return nil }
    return try await dryRun?.entries(
      after: .changes(ChangesQuery(changes, areExact: areExact)))
  }

  /// Whether a value is one with which most programs could not read a property list any more.
  package func isUnreadable(_ value: StoredValue?) -> Bool {
    ["plist", "defaults"].contains(kind.name) && value?.holdsMalformedText == true
  }

  /// Why ``isUnreadable(_:)`` is so, behind the name of an entry.
  package static let unreadable =
    "holds text that is not valid, such as half a surrogate pair: other programs would not read a "
    + "property list with it"

  /// How many of several changes were made, and stay, where a failure ended them.
  package func changesLeft(by scan: Scan) -> Int {
    // What a transaction had made when its end failed is gone.
    kind.isAtomic ? 0 : scan.changed
  }
}
