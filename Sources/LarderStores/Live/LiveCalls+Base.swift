import Harmony
import HarmonyInspection
import LarderModel

/// The comparison before a write: a cache writes through, so that a write replaces the backing
/// store's value, not just the cached one.
extension LiveCalls {
  /// An entry as it is shown, with the value as it was sent.
  typealias Sent = (entry: Entry, value: InspectedValue)

  /// The current values for a key that is about to be written.
  struct Standing {
    /// The value that is shown; for a cache, the cached value.
    var shown: Sent?
    /// The value that a write replaces.
    var base: Sent?
    /// Whether only the cache has a value, and the backing store is known to have none.
    var isAlone = false

    /// The entry that a write replaces, with the cache's times if it caches the same value.
    var stored: Entry? {
      shown?.entry.fingerprint == base?.entry.fingerprint ? shown?.entry : base?.entry
    }

    /// The expectation to send with a write; the program compares it with the value it shows.
    var expectation: RemoteDataSource.Expectation {
      shown.map { .value($0.value) } ?? .nothing
    }
  }

  /// Returns the current values for a key.
  ///
  /// - Throws: ``StoreError/failed(_:)`` if the backing store of a cache cannot be read.
  func standing(_ key: EntryKey) async throws -> Standing {
    let shown = try await present(key)
    guard facts.isCache else { return Standing(shown: shown, base: shown) }
    do {
      return Standing(shown: shown, base: try await sentBacking(key))
    } catch is CoreError.NotFound {
      return Standing(shown: shown, base: shown, isAlone: shown != nil)
    } catch is CoreError.NotImplemented {
      // A cache of a custom type may not support reading its backing store, so only the cached
      // value is known.
      return Standing(shown: shown, base: shown)
    } catch let error as any CodedError {
      throw StoreError.unreadableBackingStore(key, error)
    }
  }

  /// Returns the entry that a write replaces, with its expiry encoded in the form.
  func base(_ key: EntryKey) async throws -> Entry? {
    let standing = try await standing(key)
    return standing.stored?.withTimeInForm(isAlone: standing.isAlone)
  }

  /// Returns the expectation to send with a write.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` if the current value does not satisfy the
  ///   condition.
  func expectation(
    _ request: WriteRequest
  ) async throws -> RemoteDataSource.Expectation {
    if case .anything = request.condition { return .anything }
    let standing = try await looking { try await self.standing(request.key) }
    guard request.condition.allows(standing.base?.entry) else {
      throw StoreError.conflict(current: standing.stored)
    }
    return standing.expectation
  }

  /// Runs a read that precedes a write; a failure reports that nothing was written.
  private func looking<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let error as InspectionError {
      switch error {
      case .timedOut, .crowded, .disconnected, .malformed:
        throw StoreError.notWritten(error)
      default: throw error
      }
    }
  }
}
