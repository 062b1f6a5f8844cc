package import LarderModel
package import LarderFormats
package import Foundation
import Harmony

/// Sets the expiry of entries, in one change.
package struct ExpiryUpdate: Sendable {
  /// The changes to be written.
  package struct Plan: Sendable {
    /// The entries, without their values.
    package fileprivate(set) var entries: [Entry] = []
    /// The new expiry of each entry.
    package fileprivate(set) var changes: [ExpiryChange] = []
    /// A clause about entries that never expire and are left unchanged; nil if there are none.
    package fileprivate(set) var note: String?
  }

  /// The maximum number of entries in one change, which is limited by the journal.
  private static let maximumCount = 1_000_000

  private let store: Store
  private let expiry: ExpiryText
  private let now: Date

  /// Creates an update for entries of a store, with durations relative to the given time.
  package init(_ expiry: ExpiryText, in store: Store, at now: Date) {
    self.store = store
    self.expiry = expiry
    self.now = now
  }

  /// Returns the entries whose keys have a prefix, without their values.
  ///
  /// - Parameters:
  ///   - prefix: The prefix.
  ///   - span: The range of expiries to include; nil for all entries.
  ///   - store: The store.
  ///   - read: Called with the number of entries of each page.
  /// - Returns: The entries.
  /// - Throws: ``StoreError`` if the store cannot be read or the entries are too many for one
  ///   change.
  package static func entries(
    _ prefix: String, expiring span: ExpiryRange? = nil, in store: Store,
    _ read: (Int) throws -> Void = { _ in }
  ) async throws -> [Entry] {
    var entries: [Entry] = []
    // Fingerprints, which later detect conflicts, require the values.
    let query = EntryPageQuery(
      prefix: prefix, expiring: span, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: store.source, query) {
      for var entry in page {
        // All values together could exceed the available memory.
        entry.value = nil
        entries.append(entry)
      }
      try read(page.count)
      guard entries.count <= maximumCount else {
        throw StoreError.tooMany(maximumCount)
      }
    }
    return entries
  }

  /// Plans the changes for some entries.
  ///
  /// - Parameters:
  ///   - entries: The entries as they were read.
  ///   - areNamed: Whether the entries were named individually: then one that never expires makes
  ///     an
  ///     extension fail, and otherwise it is skipped.
  /// - Returns: The plan.
  /// - Throws: ``StoreError`` if there is no expiry to extend.
  package func plan(_ entries: [Entry], areNamed: Bool = false) throws(StoreError) -> Plan {
    var plan = Plan(entries: entries)
    if case .later = expiry {
      let endless = entries.filter { $0.expires == nil }
      plan.entries.removeAll { $0.expires == nil }
      if let first = endless.first {
        guard !areNamed, !plan.entries.isEmpty else {
          throw .noExpiryToExtend(first.key, endless.count)
        }
        plan.note = Messages.unchangedExpiry(first.key, endless.count)
      }
    }
    plan.changes = plan.entries.map { entry in
      ExpiryChange(
        entry.key, expires: expiry.date(from: now, after: entry.expires),
        expecting: entry.fingerprint)
    }
    return plan
  }

  /// Plans the changes for the entries with the given keys, which are read only for an extension.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - seen: The fingerprints of the entries as the user saw them, where known.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The plan.
  /// - Throws: ``StoreError`` if an entry has changed since it was seen, or there is no expiry to
  ///   extend.
  package func plan(
    _ keys: [EntryKey], seen: [EntryKey: Fingerprint], _ scan: Scan
  ) async throws -> Plan {
    guard case .later = expiry else {
      let date = expiry.date(from: now)
      return Plan(
        entries: keys.map { Entry(key: $0) },
        changes: keys.map { ExpiryChange($0, expires: date, expecting: seen[$0]) })
    }
    var entries: [Entry] = []
    try await store.source.forEachEntry(keys) { index, entry in
      try scan.reportRead(index + 1)
      let change = ExpiryChange(keys[index], expires: nil, expecting: seen[keys[index]])
      var entry = try change.checked(entry)
      entry.value = nil
      entries.append(entry)
    }
    return try plan(entries)
  }

  /// Returns the entries as they would be after the update, without writing.
  ///
  /// - Throws: ``StoreError`` if the store would reject the update.
  package func tried(_ plan: Plan) async throws -> [Entry] {
    let changed = try await store.expiry?.entries(after: plan.changes, nil) ?? []
    return zip(plan.entries, changed).map { entry, changed in
      var entry = entry
      entry.expires = changed.expires
      return entry
    }
  }

  /// Sets the expiries with ``Store/setExpiries(_:_:)``.
  ///
  /// - Returns: The updated entries.
  /// - Throws: ``OperationFailure`` with the number of entries that were written.
  package func run(_ plan: Plan, _ scan: Scan) async throws -> [Entry] {
    do {
      return try await store.setExpiries(plan.changes, scan)
    } catch {
      throw OperationFailure(
        error, outcome: OperationFailure.outcome(store.changesLeft(by: scan), "written"))
    }
  }
}
