package import Foundation
import Harmony

/// Sets the expiries of a store's entries, and tells how the store keeps them.
///
/// Safe from any thread.
package protocol ExpiryService: Sendable {
  /// Sets expiries that are stored beside the entries, so that writing an entry back as it was does not
  /// bring its expiry back; nil where they are part of the values or forms.
  var separate: (any SeparateExpiries)? { get }

  /// Whether an entry gets its expiry when it is written, by its value or its form.
  var areWrittenWithValues: Bool { get }

  /// An entry to write that expires at an instant.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - expires: When it expires; nil for never.
  /// - Returns: The entry with the value and the form that say so; as it is where the store does not
  ///   write expiries with values.
  /// - Throws: ``StoreError`` where the store cannot say it.
  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry

  /// The value of an entry of another store, which expires at the same instant here.
  ///
  /// - Parameters:
  ///   - value: The value. It stays as it is where it says that instant already.
  ///   - expires: When it expires; the distant future for never, nil where nothing says that.
  /// - Returns: The value; as it is where the store does not store expiries in values.
  /// - Throws: ``StoreError/notSupported(_:)`` where the store cannot hold exactly that instant.
  func value(_ value: StoredValue, expiringExactly expires: Date?) async throws -> StoredValue

  /// The entries as they would be stored with other expiries; nothing is written.
  ///
  /// - Parameters:
  ///   - changes: The expiries, no two with one key.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The entries in order, each with the fingerprint of what is there now.
  /// - Throws: ``StoreError/conflict(current:)`` where an entry is missing or is not what is expected,
  ///   and ``StoreError/notSupported(_:)`` where the store cannot say it.
  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry]
}

/// Sets expiries that are stored beside the entries of a store.
///
/// Safe from any thread.
package protocol SeparateExpiries: Sendable {
  /// Writes expiries.
  ///
  /// - Parameters:
  ///   - changes: The expiries, no two with one key.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The entries in order, as they are then.
  /// - Throws: What ``ExpiryService/entries(after:_:)`` throws.
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

/// When an entry is to expire from now on.
package struct ExpiryChange: Sendable, Hashable {
  /// The key of the entry.
  package var key: EntryKey
  /// When it expires; nil for never.
  package var expires: Date?
  /// What the store must hold; nil for what it holds when it is read for this.
  package var expecting: Fingerprint?

  package init(_ key: EntryKey, expires: Date?, expecting: Fingerprint? = nil) {
    self.key = key
    self.expires = expires
    self.expecting = expecting
  }

  /// The entry, if it is there and is what is expected.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` where it is not.
  package func checked(_ current: Entry?) throws(StoreError) -> Entry {
    guard let current, expecting.map({ $0 == current.fingerprint }) ?? true else {
      throw .conflict(current: current)
    }
    return current
  }
}

extension Store {
  /// Changes when entries expire, and leaves the rest of them as it is.
  ///
  /// All or none where the store makes all changes or none. Where the changes of the store are
  /// recorded, so is this.
  ///
  /// - Parameters:
  ///   - changes: The expiries, no two with one key.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The entries in order, as they are then.
  /// - Throws: ``StoreError/conflict(current:)`` where an entry is missing or is not what is expected,
  ///   and ``StoreError/notSupported(_:)`` where the store cannot say it; nothing is written then.
  package func setExpiries(
    _ changes: [ExpiryChange], _ scan: Scan? = nil
  ) async throws -> [Entry] {
    guard let expiry else {
      throw StoreError.notSupported("\(location) stores no expiries; nothing was written")
    }
    let (source, separate) = (source, separateExpiries)
    // Whoever stops waiting for it does not stop it half way.
    return try await Future {
      if let separate { return try await separate.set(changes, scan) }
      let entries = try await expiry.entries(after: changes, scan)
      var changed: [EntryChange] = []
      for entry in entries {
        if entry.value.map({ Fingerprint(of: $0) }) == entry.fingerprint {
          // A file may expire some time after it was written, which is beside its value.
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

  /// Changes when one entry expires, as ``setExpiries(_:_:)`` does.
  package func setExpiry(_ change: ExpiryChange) async throws -> Entry {
    try await setExpiries([change]).only()
  }

  /// Whether an entry gets its expiry only once it is written.
  package var setsExpiriesAfterWriting: Bool { expiry.map { !$0.areWrittenWithValues } ?? false }
}
