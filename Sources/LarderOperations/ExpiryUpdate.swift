package import LarderModel
package import LarderFormats
package import Foundation
import Harmony

/// Sets when entries expire, in one change.
package struct ExpiryUpdate: Sendable {
  /// What is going to be written.
  package struct Plan: Sendable {
    /// The entries, without their values.
    package fileprivate(set) var entries: [Entry] = []
    /// The expiry that each of them gets.
    package fileprivate(set) var changes: [ExpiryChange] = []
    /// That some entries never expire and stay so, as a clause; nil where there are none.
    package fileprivate(set) var note: String?
  }

  /// The maximum number of entries that are changed at once: the journal could record no more.
  private static let maximumCount = 1_000_000

  private let store: Store
  private let expiry: ExpiryText
  private let now: Date

  /// Creates an update of entries of a store, which counts from a time.
  package init(_ expiry: ExpiryText, in store: Store, at now: Date) {
    self.store = store
    self.expiry = expiry
    self.now = now
  }

  /// The entries whose keys start with a text, without their values.
  ///
  /// - Parameters:
  ///   - prefix: The start of the keys.
  ///   - span: When they expire; nil for all of them.
  ///   - store: The store.
  ///   - read: Called with the number of entries of each page that was read.
  /// - Returns: The entries.
  /// - Throws: ``StoreError``, also where they are too many for one change.
  package static func entries(
    _ prefix: String, expiring span: ExpirySpan? = nil, in store: Store,
    _ read: (Int) throws -> Void = { _ in }
  ) async throws -> [Entry] {
    var entries: [Entry] = []
    // The values are what a change is compared with.
    let query = EntryPageQuery(
      prefix: prefix, expiring: span, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: store.source, query) {
      for var entry in page {
        // All values at once would not fit into memory.
        entry.value = nil
        entries.append(entry)
      }
      try read(page.count)
      guard entries.count <= maximumCount else {
        throw StoreError.failed(
          "more than \(Thousands.text(maximumCount)) entries match; nothing was written. A longer "
            + "prefix matches fewer")
      }
    }
    return entries
  }

  /// Plans what is written for some entries.
  ///
  /// - Parameters:
  ///   - entries: The entries as they were read.
  ///   - areNamed: Whether each of them was named: one that never expires is refused then where the
  ///     others expire later than before, and is left out otherwise.
  /// - Returns: The plan.
  /// - Throws: ``StoreError`` where no expiry can be extended.
  package func plan(_ entries: [Entry], areNamed: Bool = false) throws(StoreError) -> Plan {
    var plan = Plan(entries: entries)
    if case .later = expiry {
      let endless = entries.filter { $0.expires == nil }
      plan.entries.removeAll { $0.expires == nil }
      if let first = endless.first {
        let subject =
          endless.count == 1
          ? "\(first.key.spoken) never expires" : "\(endless.count) entries never expire"
        guard !areNamed, !plan.entries.isEmpty else {
          throw .notSupported(
            "\(subject), so there is no expiry to add to; nothing was written. Without the +, the "
              + "time counts from now")
        }
        plan.note = "\(subject), and \(endless.count == 1 ? "stays" : "stay") so"
      }
    }
    plan.changes = plan.entries.map { entry in
      ExpiryChange(
        entry.key, expires: expiry.date(from: now, after: entry.expires),
        expecting: entry.fingerprint)
    }
    return plan
  }

  /// Plans what is written for the entries with some keys, which are read only to be extended.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - seen: What was seen under them, where that is known.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The plan.
  /// - Throws: ``StoreError`` where one of them is not what was seen, or none can be extended.
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

  /// The entries as they would be; nothing is written.
  ///
  /// - Throws: ``StoreError`` where the store would refuse it.
  package func tried(_ plan: Plan) async throws -> [Entry] {
    let changed = try await store.expiry?.entries(after: plan.changes, nil) ?? []
    return zip(plan.entries, changed).map { entry, changed in
      var entry = entry
      entry.expires = changed.expires
      return entry
    }
  }

  /// Sets the expiries, as ``Store/setExpiries(_:_:)`` does.
  ///
  /// - Returns: The entries as they are then.
  /// - Throws: ``OperationFailure`` that says how many were written.
  package func run(_ plan: Plan, _ scan: Scan) async throws -> [Entry] {
    do {
      return try await store.setExpiries(plan.changes, scan)
    } catch {
      throw OperationFailure(
        error, outcome: OperationFailure.outcome(store.changesLeft(by: scan), "written"))
    }
  }
}
