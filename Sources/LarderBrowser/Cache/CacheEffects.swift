package import LarderModel
import Foundation
import Harmony

extension EffectSlot {
  static let cache = EffectSlot("cache", isOfTab: true)
}

/// Reads the contents of larder's own cache of a store.
package struct InspectCache: BrowserEffect {
  package let store: StoreReference
  package var slot: EffectSlot? { .cache }

  /// The contents of the cache at an instant of its clock.
  package struct Reply: Sendable {
    package var statuses: [CacheStatus]
    package var now: Duration

    package init(_ statuses: [CacheStatus], now: Duration) {
      self.statuses = statuses
      self.now = now
    }
  }

  package init(store: StoreReference) {
    self.store = store
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard let cache = runner.registry.store(store)?.cache else { return }
    let now = runner.environment.clock.now
    let statuses = cache.inspect().compactMap { cached in
      cached.content.entry.map { entry in
        CacheStatus(
          key: entry.key, fetchedAt: now - cached.age, timeToLive: cached.timeToLive,
          hits: cached.hits)
      }
    }
    await reply(Reply(statuses, now: now))
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    state.cacheInspected(store, reply.statuses, now: reply.now)
  }
}

/// Refreshes an entry in larder's own cache.
package struct RefreshCached: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  package let ticket: Ticket?

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        let opened = try runner.opened(store)
        let query = EntryQuery(key, readsFiles: true)
        let entry = try await opened.cache.refresh(query).getCancelling()
        return opened.store.hidesValues ? entry.concealed : entry
      })
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.entryRead(reply)
  }
}

/// Evicts an entry from larder's own cache; the store is unchanged.
package struct EvictCached: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  package let ticket: Ticket?

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    _ = runner.registry.store(store)?.cache.evict(EntryQuery(key).key)
    await reply(await runner.result { try await runner.read(key, in: store, through: .cacheOnly) })
  }

  package func receive(_ reply: Answer<Entry>, in state: inout BrowserState) -> Effects {
    state.entryRead(reply)
  }
}

/// Refreshes or evicts entries of a store that is itself a cache.
package struct ChangeCache: BrowserEffect {
  package let store: StoreReference
  package let chosen: ChosenEntries
  package let change: CacheChange
  /// The token of the change.
  package let token: Int
  package var writtenStore: StoreReference? { store }

  /// The maximum number of entries with a prefix that one change can affect.
  static let maximumCount = 100_000

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      try await runner.working(token, reply.send) { try await change(runner, $0) }
    }
    await reply(result)
  }

  private func change(_ runner: EffectRunner, _ scan: Scan) async throws -> CacheChange.Outcome {
    let opened = try runner.opened(store)
    let keys = try await runner.keys(of: chosen, in: opened)
    try scan.reportWaiting()
    guard let cache = opened.store.cache else {
      throw StoreError.notSupported(Messages.notTimedCache)
    }
    var outcome = CacheChange.Outcome(done: keys.count)
    do {
      switch change {
      case .refresh:
        // A stop takes effect between two entries, never within one.
        outcome.done = try await Future { try await cache.refresh(keys, scan) }.get().count
        outcome.missing = keys.count - outcome.done
      case .evict: try await Future { try await cache.evict(keys, scan) }.get()
      }
    } catch is CancellationError where scan.isStopped {
      outcome = CacheChange.Outcome(done: scan.changed)
      outcome.isStopped = true
    }
    do {
      outcome.canBeUndone = try await cache.exchangeObstacle() == nil
    } catch {
      outcome.canBeUndone = false
    }
    return outcome
  }

  package func receive(
    _ reply: Answer<CacheChange.Outcome>, in state: inout BrowserState
  ) -> Effects {
    state.cacheChanged(token: token, reply)
  }
}

extension EffectRunner {
  /// Returns the keys of the chosen entries.
  ///
  /// - Throws: ``StoreError`` if there are too many for one change.
  func keys(
    of chosen: ChosenEntries, in opened: StoreRegistry.Opened
  ) async throws -> [EntryKey] {
    switch chosen {
    case .keys(let keys): return keys
    case .prefix(let prefix):
      let listing = try await listing(
        EntryPageQuery(prefix: prefix, limit: ChangeCache.maximumCount), in: opened)
      guard listing.isWhole else {
        throw StoreError.notSupported(
          Messages.tooManyToTouch(prefix, ChangeCache.maximumCount))
      }
      return listing.keys
    }
  }
}
