import LarderModel
import Foundation
import Harmony

extension EffectRunner {
  /// The greatest number of entries below a prefix that are changed at once.
  private static let greatestCount = 100_000

  /// The keys that are chosen.
  ///
  /// - Throws: ``StoreError`` where they are too many for one change.
  func keys(
    of chosen: ChosenEntries, in opened: StoreRegistry.Opened
  ) async throws -> [EntryKey] {
    switch chosen {
    case .keys(let keys): return keys
    case .prefix(let prefix):
      let listing = try await listing(
        EntryPageQuery(prefix: prefix, limit: Self.greatestCount), in: opened)
      guard listing.isWhole else {
        throw StoreError.notSupported(
          "more than \(Thousands.text(Self.greatestCount)) keys begin with “\(prefix)”; nothing was "
            + "changed. larder touch --prefix changes any number of them")
      }
      return listing.keys
    }
  }

  /// Has the cache that a store is read entries anew, or let go of them.
  func change(
    _ change: CacheChange, _ chosen: ChosenEntries, in opened: StoreRegistry.Opened, _ scan: Scan
  ) async throws -> CacheChange.Outcome {
    let keys = try await keys(of: chosen, in: opened)
    try scan.reportWaiting()
    guard let cache = opened.store.cache else {
      throw StoreError.notSupported("this store is no timed cache; nothing was changed")
    }
    var outcome = CacheChange.Outcome(done: keys.count)
    do {
      switch change {
      case .refresh:
        // Stopped between two entries, and not within one.
        outcome.done = try await Future { try await cache.refresh(keys, scan) }.get().count
        outcome.missing = keys.count - outcome.done
      case .evict: try await Future { try await cache.evict(keys, scan) }.get()
      }
    } catch is CancellationError where scan.isStopped {
      outcome = CacheChange.Outcome(done: scan.changed)
      outcome.isStopped = true
    }
    do {
      outcome.hasWayBack = try await cache.exchangeObstacle() == nil
    } catch {
      outcome.hasWayBack = false
    }
    return outcome
  }

  /// Reads some entries again, counts them all, and reads the one whose value is shown.
  func look(
    _ reference: StoreReference, _ request: FollowingLook.Request?, _ key: EntryKey?, token: Int
  ) async -> FollowingLook {
    let start = environment.clock.now
    let source = registry.store(reference)?.store.source
    var look = FollowingLook(token: token, entries: nil, entry: nil, duration: .zero)
    // Who does not answer for the rows is not asked for the value, and waited for once more.
    do {
      if let request {
        let query: any Query =
          switch request {
          case .rows(let query), .list(let query): query
          case .tree(let query): query
          }
        look.entries = try await source?.getAll(query).getCancelling()
        let answer = await self.answer(CountQuery(prefix: request.prefix), in: reference)
        if case .integer(let count)? = answer?.value { look.count = Int(count) }
      }
      if let key { look.entry = try await source?.entry(key) }
    } catch {
      look.failure = StoreError(error)
    }
    look.duration = environment.clock.now - start
    return look
  }
}
