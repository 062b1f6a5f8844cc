import Foundation
import Harmony

/// A source of this process that others may look at, whatever its values are.
struct ExposedSource: Sendable {
  let facts: InspectedSource
  let source: AnyDataSource<InspectedValue>
  let listing: (any KeyListingDataSource)?
  let cache: ExposedCache?
  /// Lets one write at a time look at what is there first.
  let turns = Turns()
  /// Remembers how far somebody has come through what is cached.
  private let walk = KeyWalk()

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

  /// The keys that are selected: of what is cached, where this is a cache.
  func keys(_ selection: KeySelection) async throws -> [String] {
    if let cache { return walk.keys(selection, digest: cache.digest, of: cache.keys) }
    guard let listing else { throw SelectionQuery(selection: selection).notSupported("getKeys") }
    return try await listing.getKeys(SelectionQuery(selection: selection)).getCancelling()
  }

  /// How many keys are selected: of what is cached, where this is a cache.
  func count(_ selection: KeySelection) async throws -> Int {
    if let cache {
      if selection == KeySelection(), let count = cache.keyCount() { return count }
      return walk.count(selection, digest: cache.digest) ?? cache.keys(selection).count
    }
    guard let listing else { throw SelectionQuery(selection: selection).notSupported("countKeys") }
    return try await listing.countKeys(SelectionQuery(selection: selection)).getCancelling()
  }

  /// Lets whoever has written something see it in the next list.
  func forgetKeys() { walk.forget() }

  /// An entry, whatever it holds, without a use of the cache.
  ///
  /// - Returns: The entry, nil where there is none.
  func entry(_ key: String) async throws -> InspectedEntry? {
    if let cache {
      return try cache.entry(key).map { value, state in
        InspectedEntry(key: key, value: value, size: value.size, cached: state)
      }
    }
    guard let value = try await content(key) else { return nil }
    return InspectedEntry(key: key, value: value, size: value.size)
  }

  /// What a key holds: a value, or a list.
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

  /// Writes or deletes an entry that is what it is expected to be.
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
