public import Harmony

/// Entries that come one portion after the other, and are written in one transaction.
///
/// Answered by `put`, whose value is not looked at, with an entry whose value is the number of
/// entries that were written. One that the store holds already, as it is, is not written. One that
/// it holds with another value is replaced, or the future fails with
/// ``StoreError/conflict(current:)`` and, where the store has transactions, nothing is written.
/// Stores that hold everything in memory anyway answer with `QueryNotSupported`: they are given
/// all entries at once, as a ``ChangesQuery``.
public struct ImportQuery: Query {
  /// The next entries, whole; nil at the end.
  ///
  /// Called from one thread at a time; what it throws ends the import.
  public let next: @Sendable () throws -> [Entry]?
  /// Whether an entry of the store with another value is replaced.
  public let replaces: Bool
  /// Where a source that has no transactions reports how many entries it has written.
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
  /// The change that writing this entry over another is.
  ///
  /// - Parameters:
  ///   - current: What the store holds under the key; nil for nothing.
  ///   - replaces: Whether another value is replaced.
  ///   - forms: The forms that are restored then, where the value is the same.
  ///   - keepsDigits: Whether the store keeps how numbers are spelled, which is a part of them then.
  /// - Returns: The change; nil where the store holds the value already.
  /// - Throws: ``StoreError/conflict(current:)`` where another value stays.
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
