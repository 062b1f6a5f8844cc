import Foundation
import Harmony
import LarderModel
import LarderOperations
import LarderJournal
import LarderStores
import Testing

/// Expiries of defaults, which a Harmony cache stores beside the values.
struct DefaultsTimesTests {
  private let domain = TestDomain()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func defaults() throws -> UserDefaults {
    try #require(UserDefaults(suiteName: domain.name))
  }

  /// Returns a cache over strings with a prefix, whose clock is stopped at a date.
  private func cache(
    _ source: DeviceStorageDataSource<String>, at date: Date
  ) throws -> TimedCacheDataSource<String, DeviceStorageDataSource<String>> {
    TimedCacheDataSource(
      source, expiryInterval: 60, times: try source.cacheTimes(), date: { date })
  }

  @Test func `Expiries of a cache are listed, sorted, changed, and honored by the cache`()
    async throws
  {
    let source = DeviceStorageDataSource<String>(try defaults(), prefix: "token")
    let cache = try cache(source, at: now)
    try await cache.put("one", forId: "a").get()
    try await cache.put("two", forId: "b").get()
    cache.setRemaining(.seconds(30), of: "b")
    try defaults().set("dark", forKey: "theme")
    _ = try defaults().synchronize()

    let open = try await Stores.open(domain.location)
    #expect(
      open.facts.first { $0.name == "expiry" }?.text.contains("\(domain.name).harmony-times")
        == true)
    let store = try await open.store(nil)
    #expect(store.capabilities.isSuperset(of: [.expiry, .looseTimes, .ages]))
    let page = try await store.source.getAll(EntryPageQuery(detail: .summary)).getCancelling()
    #expect(page.map(\.key) == ["theme", "token.a", "token.b"].map { .text($0) })
    #expect(page.map(\.expires) == [nil, now.addingTimeInterval(60), now.addingTimeInterval(30)])
    #expect(page.map(\.modified) == [nil, now, now])
    let sorted = try await store.source.getAll(
      EntryPageQuery(order: EntryOrder(.expires), detail: .summary)
    ).getCancelling()
    #expect(sorted.map(\.key) == ["token.b", "token.a", "theme"].map { .text($0) })
    let soon = ExpiryRange(upTo: now.addingTimeInterval(45))
    let expiring = try await store.source.getAll(
      EntryPageQuery(expiring: soon, detail: .summary)
    ).getCancelling()
    #expect(expiring.map(\.key) == [.text("token.b")])

    let list = try Data(contentsOf: URL(filePath: domain.list))
    let a = try await store.source.get(EntryQuery(.text("token.a"))).get()
    let later = ExpiryChange(a.key, expires: now.addingTimeInterval(500), expecting: a.fingerprint)
    #expect(
      try await store.setExpiry(later).expires == now.addingTimeInterval(500))
    #expect(try Data(contentsOf: URL(filePath: domain.list)) == list)
    // As another process that uses the same cache.
    let again = try self.cache(source, at: now.addingTimeInterval(100))
    #expect(try await again.get("a").get() == "one")
    #expect(again.inspect("a").map { abs($0.remaining / .seconds(1) - 400) < 5 } == true)
  }

  @Test func `A move copies expiries to a store that keeps them beside its values`() async throws {
    let cached = DeviceStorageDataSource<String>(try defaults(), prefix: "token")
    try await cache(cached, at: now).put("one", forId: "a").get()
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER);
      INSERT INTO cache VALUES ('token.b', 'two', 1800000500);
      """)
    let key = EntryKey.text("token.b")
    let origin = try await Stores.store(path, "cache")
    let target = try await Stores.open(domain.location).store(nil)
    let move = Transfer(.keys([key], seen: [:]), from: origin, to: target, isMove: true)
    let outcome = try await move.run(Scan())
    #expect(outcome.deleted == 1 && outcome.left.isEmpty)
    let moved = try #require(try await target.source.entry(key))
    #expect(moved.value == .text("two") && moved.expires == now.addingTimeInterval(500))
    #expect(try await origin.source.entry(key) == nil)
  }

  @Test func `Expiries follow a value to a new key and back`() async throws {
    let source = DeviceStorageDataSource<String>(try defaults(), prefix: "token")
    try await cache(source, at: now).put("one", forId: "a").get()
    let journal = Journal(path: domain.list + ".journal.db")
    defer { try? FileManager.default.removeItem(atPath: journal.path) }
    let store = try await Stores.open(domain.location, journal: journal).store(nil)
    let entry = try await store.source.get(EntryQuery(.text("token.a"))).get()
    let expecting = try #require(entry.fingerprint)
    let renamed = try await store.source.put(
      nil, in: RenameQuery(entry.key, to: .text("token.b"), expecting: expecting)
    ).get()
    #expect(renamed.expires == now.addingTimeInterval(60))
    try await store.replay(ReplayRequest())
    let back = try await store.source.get(EntryQuery(entry.key)).get()
    #expect(back.expires == now.addingTimeInterval(60))
  }

  @Test func `A value that never expires does not inherit the expiry of its new key`() async throws
  {
    let source = DeviceStorageDataSource<String>(try defaults(), prefix: "token")
    try await cache(source, at: now).put("one", forId: "a").get()
    try defaults().set("dark", forKey: "theme")
    _ = try defaults().synchronize()
    let journal = Journal(path: domain.list + ".journal.db")
    defer { try? FileManager.default.removeItem(atPath: journal.path) }
    let store = try await Stores.open(domain.location, journal: journal).store(nil)
    let (a, theme) = (EntryKey.text("token.a"), EntryKey.text("theme"))
    func end(_ key: EntryKey) async throws -> Date? {
      try await store.source.get(EntryQuery(key)).get().expires
    }
    try await store.source.delete(EntryQuery(a)).get()
    let print = try #require(try await store.source.get(EntryQuery(theme)).get().fingerprint)
    _ = try await store.source.put(nil, in: RenameQuery(theme, to: a, expecting: print)).get()
    #expect(try await end(a) == nil)
    for _ in 0..<2 { try await store.replay(ReplayRequest()) }
    #expect(try await end(theme) == nil)
    #expect(try await end(a) == now.addingTimeInterval(60))
    await #expect(throws: StoreError.self) {
      try await store.source.put(nil, in: RenameQuery(a, to: theme, expecting: print)).get()
    }
    #expect(try await end(theme) == nil)
  }

  @Test func `An expiry is not set if the value has changed`() async throws {
    let source = DeviceStorageDataSource<String>(try defaults(), prefix: "token")
    try await cache(source, at: now).put("one", forId: "a").get()
    let store = try await Stores.open(domain.location).store(nil)
    let old = try await store.source.get(EntryQuery(.text("token.a"))).get()
    _ = try await store.source.put(
      Entry(key: old.key, value: .text("other")), in: EntryQuery(old.key)
    ).get()
    await #expect(throws: StoreError.self) {
      try await store.setExpiry(ExpiryChange(old.key, expires: nil, expecting: old.fingerprint))
    }
    await #expect(throws: StoreError.self) {
      try await store.setExpiry(ExpiryChange(.text("gone"), expires: nil))
    }
    #expect(try source.cacheTimes().times(of: "a")?.expires == now.addingTimeInterval(60))
  }

  @Test func `A value of a root key is listed by path with its expiry`() async throws {
    let source = DeviceStorageDataSource<String>(try defaults(), storageType: .rootKey("tokens"))
    try await cache(source, at: now).put("one", forId: "a").get()
    let store = try await Stores.open(domain.location).store(nil)
    let key = EntryKey.composite([.text("tokens<String>"), .text("a")])
    #expect(
      try await store.source.get(EntryQuery(key)).get().expires == now.addingTimeInterval(60))
  }

  @Test func `Defaults without a cache have no expiries`() async throws {
    try defaults().set("dark", forKey: "theme")
    _ = try defaults().synchronize()
    let store = try await Stores.open(domain.location).store(nil)
    #expect(!store.capabilities.contains(.expiry))
  }
}
