import Foundation
import Harmony

/// A source of this process that is exposed to other processes, whatever its value type.
struct ExposedSource: Sendable {
  let facts: InspectedSource
  let source: AnyDataSource<InspectedValue>
  let listing: (any KeyListingDataSource)?
  let cache: ExposedCache?
  /// Serializes conditional writes.
  let turns = AsyncLock()
  /// The progress of clients that page through the cached keys.
  private let walk = KeyListCache()

  init<Source>(
    _ source: Source, _ name: String, isWritable: Bool, _ coder: ValueCoder<Source.T>
  ) where Source: GetDataSource & PutDataSource & DeleteDataSource {
    let toIn = ClosureMapper<InspectedValue, Source.T> { try coder.decode($0) }
    let toOut = ClosureMapper<Source.T, InspectedValue> { try coder.encode($0) }
    self.source = source.withMapping(in: toIn, out: toOut).asAnyDataSource()
    listing = source as? any KeyListingDataSource
    cache = (source as? any InspectableCache<Source.T>).map { Self.cache($0, coder) }
    facts = InspectedSource(
      name: name, type: String(describing: Source.T.self), isWritable: isWritable,
      isCache: cache != nil, listsKeys: listing != nil || cache != nil)
  }

  private static func cache<T>(
    _ cache: some InspectableCache<T>, _ coder: ValueCoder<T>
  ) -> ExposedCache {
    ExposedCache(cache, coder)
  }

  /// Returns the selected keys; of a cache, those of its cached entries.
  func keys(_ selection: KeySelection) async throws -> [String] {
    if let cache { return walk.keys(selection, digest: cache.digest, of: cache.keys) }
    guard let listing else { throw SelectionQuery(selection: selection).notSupported("getKeys") }
    return try await listing.getKeys(SelectionQuery(selection: selection)).getCancelling()
  }

  /// Returns the number of selected keys; of a cache, those of its cached entries.
  func count(_ selection: KeySelection) async throws -> Int {
    if let cache {
      if selection == KeySelection(), let count = cache.keyCount() { return count }
      return walk.count(selection, digest: cache.digest) ?? cache.keys(selection).count
    }
    guard let listing else { throw SelectionQuery(selection: selection).notSupported("countKeys") }
    return try await listing.countKeys(SelectionQuery(selection: selection)).getCancelling()
  }

  /// Makes changes by clients visible in the next list of keys.
  func forgetKeys() { walk.forget() }

  /// Returns an entry, a value or a list, without counting as a use of the cache.
  ///
  /// - Returns: The entry; nil if there is none.
  func entry(_ key: String) async throws -> InspectedEntry? {
    if let cache {
      return try cache.entry(key).map { value, state in
        InspectedEntry(key: key, value: value, size: value.size, cached: state)
      }
    }
    guard let value = try await content(key) else { return nil }
    return InspectedEntry(key: key, value: value, size: value.size)
  }

  /// Returns the content of a key, a value or a list.
  private func content(_ key: String) async throws -> InspectedValue? {
    do {
      return try await source.get(IdQuery(key)).getCancelling()
    } catch is CoreError.NotFound {
      do {
        return .list(try await source.getAll(IdQuery(key)).getCancelling())
      } catch is CoreError.NotFound {
        return nil
      } catch is CoreError.QueryNotSupported {
        return nil
      }
    }
  }

  /// Writes or deletes an entry, if it is as expected.
  func replace(
    _ key: String, with value: InspectedValue?, expected: InspectionRequest.Expectation?
  ) async throws {
    try await turns.take {
      if let expected, try await entry(key)?.value != expected.value {
        throw InspectionError.conflict
      }
      switch value {
      case .list(let values): _ = try await source.putAll(values, in: IdQuery(key)).getCancelling()
      case nil: try await source.delete(IdQuery(key)).getCancelling()
      case let value: _ = try await source.put(value, in: IdQuery(key)).getCancelling()
      }
    }
  }
}
