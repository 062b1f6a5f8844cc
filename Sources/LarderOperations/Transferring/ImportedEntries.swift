package import LarderModel
package import Foundation
import Harmony

/// Writes entries of other stores together with their expiries.
extension Store {
  /// Returns an entry to write, including its expiry if the store writes that with the value.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - expires: The expiry; the distant future if the entry never expires.
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` if the store cannot represent the expiry.
  package func timed(_ entry: Entry, until expires: Date) async throws -> Entry {
    let end = expires == .distantFuture ? nil : expires
    guard let timed = try await expiry?.entry(entry, expiring: end), let value = timed.value
    else { return entry }
    return Entry(key: entry.key, value: value, expires: expires, form: timed.form)
  }

  /// Converts entries of another store to the form in which this store writes them and their
  /// expiries.
  ///
  /// - Throws: ``StoreError`` if the store cannot represent an expiry exactly.
  package func imported(_ entries: [Entry]) async throws -> [Entry] {
    guard cache != nil || expiry != nil else { return entries }
    // An entry that replaces another one does not inherit its expiry.
    let endless = setsExpiriesAfterWriting || cache != nil ? nil : Date.distantFuture
    var imported: [Entry] = []
    for var entry in entries {
      if cache == nil, expiry?.separate == nil, let value = entry.value {
        entry.value = try await self.value(value, until: entry.expires, of: entry.key)
      } else if let expires = entry.expires ?? endless {
        entry = try await timed(entry, until: expires)
      }
      imported.append(entry)
    }
    return imported
  }

  /// Sets the expiries of entries that were written, if the store keeps them apart from the values.
  ///
  /// - Parameters:
  ///   - written: The entries as the store holds them.
  ///   - imported: The entries as ``imported(_:)`` returned them.
  ///   - left: The report to which expiries that could not be set are added.
  /// - Returns: The reason why they could not be set, or nil on success.
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

  /// Returns the keys of written entries to which a cache assigned a different expiry.
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

  /// Returns the entries as they would be stored after some changes, without writing.
  ///
  /// The result is nil if the store does not support a dry run or is not writable.
  ///
  /// - Throws: An error if the store would reject the changes, as far as it can tell in advance.
  package func trial(
    _ changes: [EntryChange], areExact: Bool = false, _ scan: Scan? = nil
  ) async throws -> [Entry]? {
    // A store that is opened read-only is not even locked.
    guard !changes.isEmpty, capabilities.contains(.writable) else { return nil }
    return try await dryRun?.entries(
      after: .changes(ChangesQuery(changes, scan: scan, areExact: areExact)))
  }

  /// Whether a value would make the store unreadable to most other programs.
  package func isUnreadable(_ value: StoredValue?) -> Bool {
    kind.requiresUTF8 && value?.holdsMalformedText == true
  }

  /// Returns the number of changes that persist after a failure interrupted them.
  package func changesLeft(by scan: Scan) -> Int {
    // A failed transaction leaves no changes.
    kind.isAtomic ? 0 : scan.changed
  }
}
