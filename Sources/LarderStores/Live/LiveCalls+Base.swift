import Harmony
import HarmonyInspection
import LarderModel

/// What writes are compared with: a cache writes through, so that what is lost is not what is cached
/// but the backing store.
extension LiveCalls {
  /// An entry as it is shown, and as it was sent.
  typealias Sent = (entry: Entry, value: InspectedValue)

  /// What is under a key when somebody wants to write there.
  struct Standing {
    /// What is shown: of a cache, what is cached.
    var shown: Sent?
    /// What a write takes the place of.
    var base: Sent?
    /// Whether a cache alone has something, and the backing store is known to be nothing.
    var isAlone = false

    /// What a write takes the place of, with the times of the cache where the cache has just that.
    var stored: Entry? {
      shown?.entry.fingerprint == base?.entry.fingerprint ? shown?.entry : base?.entry
    }

    /// What the program has to find where it is asked to write, as it compares what it shows.
    var expectation: RemoteDataSource.Expectation {
      shown.map { .value($0.value) } ?? .nothing
    }
  }

  /// What is under a key, and what a write would take the place of.
  ///
  /// - Throws: ``StoreError/failed(_:)`` where the backing store of a cache cannot be read.
  func standing(_ key: EntryKey) async throws -> Standing {
    let shown = try await present(key)
    guard facts.isCache else { return Standing(shown: shown, base: shown) }
    do {
      return Standing(shown: shown, base: try await sentBeneath(key))
    } catch is CoreError.NotFound {
      return Standing(shown: shown, base: shown, isAlone: shown != nil)
    } catch is CoreError.NotImplemented {
      // A cache of the program's own type may read no lists: what it holds is all that can be told.
      return Standing(shown: shown, base: shown)
    } catch let error as any CodedError {
      throw StoreError.failed(
        "the backing store of the cache at \(key.spoken) cannot be read, and would be overwritten "
          + "unseen: \(error.description); it was not written")
    }
  }

  /// What a write under a key takes the place of, with its expiry in its form.
  func base(_ key: EntryKey) async throws -> Entry? {
    let standing = try await standing(key)
    return standing.stored?.withTimeInForm(isAlone: standing.isAlone)
  }

  /// What the program has to find under a key.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` where something else is there already.
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

  /// Looks before something is written, which it is not where this fails.
  private func looking<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let error as InspectionError {
      switch error {
      case .timedOut, .crowded, .disconnected, .malformed:
        throw StoreError.failed("\(error.description); it was not written")
      default: throw error
      }
    }
  }
}
