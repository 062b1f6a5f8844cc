import Foundation
public import Harmony

extension RemoteDataSource {
  /// A page of entries of a live source, in the order of their keys.
  public struct Page: Sendable, Hashable {
    /// The entries, with prefixes of their values.
    public let entries: [InspectedEntry]
    /// Whether there may be more entries, although this page has fewer than requested.
    public let isCut: Bool
  }

  /// Lists entries; in a timed cache, those that are cached, which does not count as using them.
  ///
  /// - Parameters:
  ///   - selection: The entries to list.
  ///   - preview: The number of bytes of each value to read.
  /// - Returns: A future of as many of the entries as fit into a message.
  public func entries(_ selection: KeySelection, preview: Int) -> Future<Page> {
    client.ask(
      InspectionRequest(
        .entries, source: name, query: InspectionQuery(selection), preview: preview)
    )
    .map { Page(entries: try $0.part(\.entries), isCut: $0.isCut ?? false) }
  }

  /// Reads a whole entry, a value or a list, which does not count as using a cache.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if there is no entry.
  public func entry(_ key: String) -> Future<InspectedEntry> {
    ask(.entry, key).map { try $0.part(\.entry) }
  }

  /// The expected state of an entry before a conditional write.
  public enum Expectation: Sendable, Hashable {
    /// Any value or none.
    case anything
    /// No entry.
    case nothing
    /// This value.
    case value(InspectedValue)
  }

  /// Writes or deletes an entry, if it is as expected.
  ///
  /// This is atomic against other clients, but changes that the program itself makes between the
  /// comparison and the write are overwritten. In a timed cache, the cached value is compared, but
  /// the backing store is written too: ``backing(_:)`` returns what it contains.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; nil to delete.
  ///   - expected: The expected current value.
  /// - Returns: A future that fails with ``InspectionError/conflict`` if the entry is not as
  ///   expected.
  @discardableResult
  public func replace(
    _ key: String, with value: InspectedValue?, expecting expected: Expectation
  ) -> Future<Void> {
    client.ask(
      InspectionRequest(
        .replace, source: name, query: InspectionQuery(key: key), value: value,
        expected: expected.message)
    )
    .map { _ in }
  }

  /// Sets the time that is left until a cached entry expires.
  ///
  /// Value and age stay the same.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - remaining: The time left in seconds; zero or less expires the entry now, nil means never.
  ///   - expected: The expected current value.
  /// - Returns: A future of the new entry. It fails with ``CoreError/NotFound`` if nothing is
  ///   cached, with ``InspectionError/conflict`` if the value is not as expected, and with
  ///   ``CoreError/NotImplemented`` if the source is not a cache or the program uses version 1 of
  ///   the protocol.
  @discardableResult
  public func expire(
    _ key: String, in remaining: Double?, expecting expected: Expectation = .anything
  ) -> Future<InspectedEntry> {
    client.ask(
      InspectionRequest(
        .expire, source: name, query: InspectionQuery(key: key), expected: expected.message,
        remaining: remaining.map { $0.isFinite ? $0 : $0 > 0 ? 1e12 : 0 }), since: 2
    )
    .map { try $0.part(\.entry) }
  }

  /// Sets when a cached entry expires.
  ///
  /// Value and age stay the same.
  ///
  /// The expiry does not depend on when the request arrives. A program that uses version 2 of the
  /// protocol receives the number of seconds left instead.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - date: The expiry in seconds since 1970; ``InspectedEntry/CachedState/never`` for no
  ///     expiry.
  ///   - expected: The expected current value.
  /// - Returns: A future like that of ``expire(_:in:expecting:)``.
  @discardableResult
  public func expire(
    _ key: String, at date: Double, expecting expected: Expectation = .anything
  ) -> Future<InspectedEntry> {
    let isEndless = !(date < InspectedEntry.CachedState.never)
    let left = date - Date.now.timeIntervalSince1970
    return client.ask(
      InspectionRequest(
        .expire, source: name, query: InspectionQuery(key: key), expected: expected.message,
        remaining: isEndless ? nil : max(left, -1e12),
        expires: isEndless ? InspectedEntry.CachedState.never : max(date, -1e12)), since: 2
    )
    .map { try $0.part(\.entry) }
  }

  /// Returns the counters of a timed cache.
  ///
  /// - Returns: A future that fails with ``CoreError/NotImplemented`` if the source is not a cache.
  public func statistics() -> Future<InspectedStatistics> {
    client.ask(InspectionRequest(.statistics, source: name)).map { try $0.part(\.statistics) }
  }

  /// Evicts an entry from a timed cache; the stored value stays.
  ///
  /// - Parameter key: The key; nil for all entries.
  /// - Returns: A future of whether there was an entry.
  @discardableResult
  public func evict(_ key: String?) -> Future<Bool> {
    client.ask(
      InspectionRequest(.evict, source: name, query: key.map { InspectionQuery(key: $0) })
    )
    .map { try $0.part(\.count) > 0 }
  }

  /// Refreshes an entry of a timed cache from the backing store.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of the new value.
  @discardableResult
  public func refresh(_ key: String) -> Future<InspectedValue> {
    ask(.refresh, key).map { try $0.part(\.value) }
  }

  /// Reads an entry from the backing store of a timed cache, without caching it.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of the value.
  public func backing(_ key: String) -> Future<InspectedValue> {
    ask(.backing, key).map { try $0.part(\.value) }
  }

  private func ask(
    _ action: InspectionRequest.Action, _ key: String
  ) -> Future<InspectionAnswer> {
    client.ask(InspectionRequest(action, source: name, query: InspectionQuery(key: key)))
  }
}

extension RemoteDataSource.Expectation {
  /// The expectation as sent in a request; nil if any value is accepted.
  var message: InspectionRequest.Expectation? {
    switch self {
    case .anything: nil
    case .nothing: InspectionRequest.Expectation(value: nil)
    case .value(let value): InspectionRequest.Expectation(value: value)
    }
  }
}
