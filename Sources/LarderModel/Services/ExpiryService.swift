package import Foundation
import Harmony

/// Sets the expiries of a store's entries, and describes how they are stored.
///
/// It is safe to use from any thread.
package protocol ExpiryService: Sendable {
  /// Sets expiries that are stored separately from the entries; nil if they are part of the values
  /// or forms.
  ///
  /// Restoring an entry does not restore an expiry that is stored separately.
  var separate: (any SeparateExpiries)? { get }

  /// Whether the expiry is written with the entry, in its value or its form.
  var areWrittenWithValues: Bool { get }

  /// Returns an entry to write with the given expiry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - expires: The expiry; nil if it never expires.
  /// - Returns: The entry with the expiry in its value or form; unchanged if the store does not
  ///   write expiries with values.
  /// - Throws: ``StoreError`` if the store cannot represent the expiry.
  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry

  /// Returns the value of another store's entry with its expiry in this store's representation.
  ///
  /// - Parameters:
  ///   - value: The value, which is unchanged if it already contains the expiry.
  ///   - expires: The expiry; the distant future if it never expires, nil if it is not recorded.
  /// - Returns: The value; unchanged if the store does not have expiries in values.
  /// - Throws: ``StoreError/notSupported(_:)`` if the store cannot represent the expiry exactly.
  func value(_ value: StoredValue, expiringExactly expires: Date?) async throws -> StoredValue

  /// Returns the entries as they would be stored with other expiries, without writing.
  ///
  /// - Parameters:
  ///   - changes: The expiries, with at most one for each key.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The entries in order, each with its current fingerprint.
  /// - Throws: ``StoreError/conflict(current:)`` if an entry is missing or has changed, or
  ///   ``StoreError/notSupported(_:)`` if the store cannot represent an expiry.
  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry]
}

/// Sets expiries that are stored separately from a store's entries.
///
/// It is safe to use from any thread.
package protocol SeparateExpiries: Sendable {
  /// Writes expiries.
  ///
  /// - Parameters:
  ///   - changes: The expiries, with at most one for each key.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The updated entries in order.
  /// - Throws: The errors of ``ExpiryService/entries(after:_:)``.
  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry]
}

extension ExpiryService {
  package var separate: (any SeparateExpiries)? { nil }
  package var areWrittenWithValues: Bool { false }

  package func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry { entry }

  package func value(
    _ value: StoredValue, expiringExactly expires: Date?
  ) async throws -> StoredValue {
    value
  }
}

/// The new expiry of an entry.
package struct ExpiryChange: Sendable, Hashable {
  /// The key of the entry.
  package var key: EntryKey
  /// The expiry; nil if it never expires.
  package var expires: Date?
  /// The expected fingerprint; nil to accept the entry as it is when it is read.
  package var expecting: Fingerprint?

  package init(_ key: EntryKey, expires: Date?, expecting: Fingerprint? = nil) {
    self.key = key
    self.expires = expires
    self.expecting = expecting
  }

  /// Returns the entry if it exists and matches the expected fingerprint.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` if it does not.
  package func checked(_ current: Entry?) throws(StoreError) -> Entry {
    guard let current, expecting.map({ $0 == current.fingerprint }) ?? true else {
      throw .conflict(current: current)
    }
    return current
  }
}

extension Store {
  /// Sets the expiry of entries, and leaves them otherwise unchanged.
  ///
  /// If the store's changes are atomic, so is this one; if they are recorded in a journal, so is
  /// this one.
  ///
  /// - Parameters:
  ///   - changes: The expiries, with at most one for each key.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The updated entries in order.
  /// - Throws: ``StoreError/conflict(current:)`` if an entry is missing or has changed, or
  ///   ``StoreError/notSupported(_:)`` if the store cannot represent an expiry; nothing is written
  ///   then.
  package func setExpiries(
    _ changes: [ExpiryChange], _ scan: Scan? = nil
  ) async throws -> [Entry] {
    guard let expiry else { throw StoreError.noExpiry(location) }
    let (source, separate) = (source, separateExpiries)
    // Cancelling the caller's task does not interrupt the operation midway.
    return try await Future {
      if let separate { return try await separate.set(changes, scan) }
      let entries = try await expiry.entries(after: changes, scan)
      var changed: [EntryChange] = []
      for entry in entries {
        if entry.value.map({ Fingerprint(of: $0) }) == entry.fingerprint {
          // A file's expiry can depend on its modification time, which is not part of its value.
          let form = entry.form == nil ? nil : try await source.entry(entry.key)?.form
          if form == entry.form { continue }
        }
        changed.append(
          EntryChange(
            entry.key, value: entry.value, expecting: entry.fingerprint, form: entry.form))
      }
      guard !changed.isEmpty else { return entries }
      let written = try await source.putAll([], in: ChangesQuery(changed, scan: scan)).get()
      let byKey = Dictionary(written.map { ($0.key, $0) }) { $1 }
      return entries.map { byKey[$0.key] ?? $0 }
    }.get()
  }

  /// Sets the expiry of one entry with ``setExpiries(_:_:)``.
  package func setExpiry(_ change: ExpiryChange) async throws -> Entry {
    try await setExpiries([change]).only()
  }

  /// Whether expiries must be set after the entries are written.
  package var setsExpiriesAfterWriting: Bool { expiry.map { !$0.areWrittenWithValues } ?? false }
}
