public import Harmony

/// A stream of entries, written in one transaction.
///
/// It is answered by `put`, whose value is ignored, with an entry whose value is the number of
/// entries written. Entries that the store already has are skipped. If the store has an entry with
/// another value, it is replaced, or the future fails with ``StoreError/conflict(current:)``; if
/// the store has transactions, nothing is written in that case. Stores that are completely in
/// memory answer with `QueryNotSupported`, and receive all entries in a single ``ChangesQuery``.
public struct ImportQuery: Query {
  /// Returns the next entries, which are whole, or nil at the end.
  ///
  /// It is called from one thread at a time, and an error that it throws ends the import.
  public let next: @Sendable () throws -> [Entry]?
  /// Whether to replace entries with another value.
  public let replaces: Bool
  /// The scan in which a source without transactions reports the number of entries written.
  public let scan: Scan?

  /// Creates a query for a stream of entries.
  public init(
    replaces: Bool, scan: Scan? = nil, next: @escaping @Sendable () throws -> [Entry]?
  ) {
    self.replaces = replaces
    self.scan = scan
    self.next = next
  }
}

extension Entry {
  /// Returns the change that writes this entry over another.
  ///
  /// - Parameters:
  ///   - current: The current entry of the store; nil if there is none.
  ///   - replaces: Whether to replace another value.
  ///   - forms: The storage forms that are restored even if the value is the same.
  ///   - keepsDigits: Whether the store preserves the spelling of numbers, which then must match.
  /// - Returns: The change, or nil if the store already has the value.
  /// - Throws: ``StoreError/conflict(current:)`` if the store has another value and `replaces` is
  ///   false.
  package func importChange(
    over current: Entry?, replaces: Bool, restoring forms: Set<String> = [],
    keepsDigits: Bool = false
  ) throws(StoreError) -> EntryChange? {
    if let current {
      let isOtherForm = form.map { forms.contains($0) && $0 != current.form } ?? false
      let isThere = current.value == value || !keepsDigits && value.map(current.holds) == true
      if isThere, !(replaces && isOtherForm) { return nil }
      guard replaces else { throw .conflict(current: current) }
    }
    return EntryChange(key, value: value, expecting: current?.fingerprint, form: form)
  }
}
