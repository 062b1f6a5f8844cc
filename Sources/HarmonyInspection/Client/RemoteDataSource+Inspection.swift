import Foundation
public import Harmony

extension RemoteDataSource {
  /// Some of the entries of a live source, in the order of their keys.
  public struct Page: Sendable, Hashable {
    /// The entries, with the beginnings of their values.
    public let entries: [InspectedEntry]
    /// Whether there may be more behind the last, although fewer than asked for are here.
    public let isCut: Bool
  }

  /// Lists entries; those of a timed cache are what is cached, and looking is no use of it.
  ///
  /// - Parameters:
  ///   - selection: Which entries.
  ///   - preview: How many bytes of each value to read.
  /// - Returns: A future of as many of them as one message holds.
  public func entries(_ selection: KeySelection, preview: Int) -> Future<Page> {
    client.ask(
      InspectionRequest(
        .entries, source: name, query: InspectionQuery(selection), preview: preview)
    )
    .map { Page(entries: try $0.part(\.entries), isCut: $0.isCut ?? false) }
  }

  /// Reads one entry whole, whatever it holds; looking is no use of a cache.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future that fails with ``CoreError/NotFound`` where there is none.
  public func entry(_ key: String) -> Future<InspectedEntry> {
    ask(.entry, key).map { try $0.part(\.entry) }
  }

  /// What has to be there before something is written.
  public enum Expectation: Sendable, Hashable {
    /// Whatever is there.
    case anything
    /// Nothing.
    case nothing
    /// This value.
    case value(InspectedValue)
  }

  /// Writes an entry, or deletes it, unless it has become another than expected.
  ///
  /// Others who look at the process cannot come between; what the program itself writes between the
  /// look and the write is overwritten. Of a timed cache, what is cached is compared, and what is
  /// overwritten is in the backing store: ``backing(_:)`` tells what that is.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; nil to delete.
  ///   - expected: What has to be there.
  /// - Returns: A future that fails with ``InspectionError/conflict`` where something else is there.
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

  /// Says how long what a timed cache holds still counts; its value and its age stay.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - remaining: The seconds that are left; zero or less ends it now, nil lets it never end.
  ///   - expected: What has to be there.
  /// - Returns: A future of the entry as it is then, that fails with ``CoreError/NotFound`` where
  ///   nothing is cached, with ``InspectionError/conflict`` where something else is, and with
  ///   ``CoreError/NotImplemented`` for a source that is no cache, or a program that does not know
  ///   how to, as it speaks version 1 of the protocol.
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

  /// Sets when what a timed cache holds expires; its value and its age stay.
  ///
  /// The entry then has that time, however late the request comes. A program that speaks version 2
  /// of the protocol is told how many seconds are left.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - date: The seconds since 1970; ``InspectedEntry/CachedState/never`` lets it never end.
  ///   - expected: What has to be there.
  /// - Returns: A future as that of ``expire(_:in:expecting:)``.
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

  /// What a timed cache has done so far.
  ///
  /// - Returns: A future that fails with ``CoreError/NotImplemented`` for a source that is none.
  public func statistics() -> Future<InspectedStatistics> {
    client.ask(InspectionRequest(.statistics, source: name)).map { try $0.part(\.statistics) }
  }

  /// Forgets what a timed cache holds of an entry; the backing store keeps it.
  ///
  /// - Parameter key: The key; nil for all.
  /// - Returns: A future of whether there was anything.
  @discardableResult
  public func evict(_ key: String?) -> Future<Bool> {
    client.ask(
      InspectionRequest(.evict, source: name, query: key.map { InspectionQuery(key: $0) })
    )
    .map { try $0.part(\.count) > 0 }
  }

  /// Has a timed cache read an entry again from the backing store.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of the new value.
  @discardableResult
  public func refresh(_ key: String) -> Future<InspectedValue> {
    ask(.refresh, key).map { try $0.part(\.value) }
  }

  /// What the backing store of a timed cache holds; nothing is kept of it.
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
  /// What is sent; nil where anything may be there.
  var message: InspectionRequest.Expectation? {
    switch self {
    case .anything: nil
    case .nothing: InspectionRequest.Expectation(value: nil)
    case .value(let value): InspectionRequest.Expectation(value: value)
    }
  }
}
