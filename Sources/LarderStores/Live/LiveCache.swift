import Harmony
import LarderModel

/// The timed cache of a live process.
struct LiveCache: CacheService {
  let source: LiveEntrySource

  func backing(_ key: EntryKey) async throws -> Entry? {
    do {
      return try await source.future { try await $0.backing(key) }.getCancelling()
    } catch is CoreError.NotFound {
      return nil
    }
  }

  func base(_ key: EntryKey) async throws -> Entry? {
    try await source.future { try await $0.base(key) }.getCancelling()
  }

  func refresh(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey, Entry?) -> Void
  ) async throws -> [Entry] {
    try await source.write { try await $0.refresh(keys, scan, told: told) }.getCancelling()
  }

  func evict(
    _ keys: [EntryKey], _ scan: Scan?, told: @escaping @Sendable (EntryKey) -> Void
  ) async throws {
    try await source.write { try await $0.evict(keys, scan, told: told) }.getCancelling()
  }

  func tally() async throws -> CacheTally {
    try await source.future { try await $0.tally() }.getCancelling()
  }

  func exchangeObstacle() async throws -> String? {
    do {
      try await source.write { try await $0.checkExchange(asksCache: true) }.getCancelling()
      return nil
    } catch StoreError.notSupported(let reason) {
      return reason
    }
  }

  func exchange(
    _ exchanges: [CacheExchange], told: @escaping @Sendable (EntryKey) -> Void
  ) async throws -> [Entry] {
    try await source.write { try await $0.exchange(exchanges, told: told) }.getCancelling()
  }
}
