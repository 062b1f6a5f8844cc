import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import InspectionExercise
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Undo of changes to the cache of a live process.
@Suite struct LiveCacheJournalTests: LiveSuite {
  private typealias Cache = TimedCacheDataSource<String, InMemoryDataSource<String>>

  private let program = LiveProgram()
  private let folder: TestFolder
  private let journal: Journal
  private let inner = InMemoryDataSource<String>()
  /// A cache with the system's clock, in which nothing expires during a test.
  private let cache: Cache

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.file("journal.db"))
    cache = Cache(inner, expiryInterval: 1_000_000)
  }

  private func show() throws -> String {
    try program.show { $0.expose(cache, as: "cache", isWritable: true) }
  }

  private func store() async throws -> Store { try await store(try show(), journal: journal) }

  private func fill(_ keys: String...) async throws {
    for key in keys { try await cache.put("cached \(key)", forId: key).get() }
  }

  private func refresh(_ keys: [String], in store: Store) async throws -> [EntryKey] {
    let service = try #require(store.cache)
    return try await service.refresh(keys.map { .text($0) }).map(\.key)
  }

  private func evict(_ keys: [String], in store: Store) async throws {
    let service = try #require(store.cache)
    try await service.evict(keys.map { .text($0) })
  }

  @discardableResult
  private func replay(isRedo: Bool = false, in store: Store) async throws -> ChangeSummary {
    try await store.replay(ReplayRequest(isRedo: isRedo))
  }

  /// Returns a store whose connection is cut at a given occurrence of a request, until it is
  /// mended.
  private func storeThatIsGone(
    at word: String, number: Int
  ) async throws -> (store: Store, mend: () -> Void) {
    _ = try show()
    let requests = Locked(0)
    let path = program.folder + "/cut.sock"
    #expect(
      RelayedProgram.listen(at: path, for: program.socket) { bytes in
        requests.withLock { count in
          if String(decoding: bytes, as: UTF8.self).contains(word) { count += 1 }
          return count >= number
        }
      })
    let store = try await store("unix:" + path, journal: journal)
    return (store, { requests.withLock { $0 = -100 } })
  }

  private func contents() -> [String: CachedContent<String>] {
    Dictionary(uniqueKeysWithValues: cache.inspect().map { ($0.key, $0.content) })
  }

  /// The expiries of cached entries, to 10 milliseconds.
  private func ends() -> [String: Int64] {
    Dictionary(
      uniqueKeysWithValues: cache.inspect().map { entry in
        (entry.key, Int64((entry.expires / .milliseconds(10)).rounded()))
      })
  }

  @Test func `Evicted entries are restored with their expiries and evicted again`()
    async throws
  {
    try await fill("a", "b", "c")
    cache.setRemaining(nil, of: "b")
    cache.setRemaining(.seconds(-5), of: "c")
    let (before, ends) = (contents(), ends())
    let store = try await store()
    try await evict(["a", "b", "c", "a", "x"], in: store)
    #expect(contents().isEmpty)
    #expect(Set(inner.keys) == ["a", "b", "c"])
    let record = try #require(try await journal.steps().first)
    #expect(record.step.action == .evict && record.step.count == 3)
    for _ in 0..<2 {
      #expect(try await replay(in: store).action == .evict)
      #expect(contents() == before)
      #expect(self.ends() == ends)
      #expect(cache.inspect("c")?.isExpired == true)
      try await replay(isRedo: true, in: store)
      #expect(contents().isEmpty)
    }
    #expect(try await journal.steps().count == 1)
    // An eviction does not record previous values.
    #expect(try await store.history?.entry(before: .text("a")) == nil)
  }

  @Test func `A refresh is undone to the cached values and redone`()
    async throws
  {
    try await fill("a", "b")
    cache.setRemaining(.seconds(500_000), of: "a")
    try await inner.put("newer a", forId: "a").get()
    try await inner.delete(IdQuery("b")).get()
    try await inner.put("newer c", forId: "c").get()
    let (before, ends) = (contents(), ends())
    let store = try await store()
    #expect(try await refresh(["a", "b", "c", "x"], in: store) == [.text("a"), .text("c")])
    let (after, newEnds) = (contents(), self.ends())
    #expect(after == ["a": .value("newer a"), "c": .value("newer c")])
    #expect(cache.inspect("a").map { $0.remaining > .seconds(900_000) } == true)
    let record = try #require(try await journal.steps().first)
    #expect(record.step.action == .refresh && record.step.count == 3)
    for _ in 0..<2 {
      try await replay(in: store)
      #expect(contents() == before)
      #expect(self.ends() == ends)
      try await replay(isRedo: true, in: store)
      #expect(contents() == after)
      #expect(self.ends() == newEnds)
    }
    #expect(try await inner.get(IdQuery("a")).get() == "newer a")
  }

  @Test func `A cache that the program keeps changing is refreshed in one change`()
    async throws
  {
    try await fill("a", "b", "c")
    try await inner.put("newer b", forId: "b").get()
    _ = try show()
    // The cache changes each time larder requests a refresh.
    let path = program.folder + "/busy.sock"
    let cache = cache
    #expect(
      RelayedProgram.listen(at: path, for: program.socket) { bytes in
        if String(decoding: bytes, as: UTF8.self).contains("refresh") {
          cache.setRemaining(.seconds(123), of: "c")
        }
        return false
      })
    let store = try await store("unix:" + path, journal: journal)
    #expect(try await refresh(["a", "b", "c"], in: store).count == 3)
    #expect(contents()["b"] == .value("newer b"))
    #expect(try await journal.steps().map(\.step.count) == [3])
    #expect(cache.inspect("c").map { $0.remaining > .seconds(1_000) } == true)
  }

  @Test func `A list is restored as a list`() async throws {
    try await inner.putAll(["1", "2"], in: IdQuery("l")).get()
    _ = try await cache.getAll(IdQuery("l")).get()
    try await inner.putAll(["3"], in: IdQuery("l")).get()
    let store = try await store()
    #expect(try await refresh(["l"], in: store) == [.text("l")])
    #expect(contents() == ["l": .list(["3"])])
    try await replay(in: store)
    #expect(contents() == ["l": .list(["1", "2"])])
  }

  @Test func `Undo skips entries that the program has cached again and restores the rest`()
    async throws
  {
    try await fill("a", "b", "c")
    let store = try await store()
    try await evict(["a", "b", "c"], in: store)
    try await cache.put("theirs", forId: "b").get()
    let step = try await replay(in: store)
    #expect(step.count == 2 && step.isUndone)
    let both = contents()
    #expect(both == ["a": .value("cached a"), "b": .value("theirs"), "c": .value("cached c")])
    let remark = "b was cached again by the program since then, and is unchanged"
    #expect(store.warnings?.take() == [remark])
    #expect(try await journal.steps().map(\.isPartlyUndone) == [false])
    // The skipped entry does not block the undo of older changes.
    guard case .notFound? = await failure({ try await replay(in: store) }) else {
      Issue.record("the change was not done with")
      return
    }
    #expect(try await replay(isRedo: true, in: store).count == 2)
    #expect(contents() == ["b": .value("theirs")])
    try await cache.delete(IdQuery("b")).get()
    #expect(try await replay(in: store).count == 3)
    #expect(contents().keys.sorted() == ["a", "b", "c"])
  }

  @Test func `Nothing is undone if the program has cached all entries again`()
    async throws
  {
    try await fill("b")
    let store = try await store()
    try await evict(["b"], in: store)
    try await cache.put("theirs", forId: "b").get()
    let conflict = await failure { try await replay(in: store) }
    guard case .conflict(let current)? = conflict else {
      Issue.record("\(String(describing: conflict))")
      return
    }
    #expect(current?.value == .text("theirs"))
    #expect(contents() == ["b": .value("theirs")])
    // A changed expiry alone is a conflict too.
    try await refresh(["b"], in: store).forEach { _ in }
    cache.setRemaining(.seconds(77), of: "b")
    guard case .conflict? = await failure({ try await replay(in: store) }) else {
      Issue.record("an end was overwritten")
      return
    }
    #expect(cache.inspect("b").map { $0.timeToLive < .seconds(1_000) } == true)
  }

  @Test func `A redo sets the exact expiry again`() async throws {
    try await fill("a")
    let store = try await store()
    let end = Date(timeIntervalSinceNow: 4_000)
    let written = try await store.setExpiry(ExpiryChange(.text("a"), expires: end))
    func isSame(_ entry: Entry) -> Bool {
      abs((entry.expires ?? .distantPast).timeIntervalSince(end)) < 0.001
    }
    #expect(isSame(written))
    try await replay(in: store)
    try await replay(isRedo: true, in: store)
    #expect(isSame(try await store.source.get(EntryQuery(.text("a"))).getCancelling()))
  }

  @Test func `If the program has ended, the change can be undone once it runs again`()
    async throws
  {
    try await fill("a")
    let store = try await store()
    try await evict(["a"], in: store)
    program.end()
    #expect(await failure { try await replay(in: store) } != nil)
    #expect(await failure { try await evict(["a"], in: store) } != nil)
    #expect(try await journal.steps().map(\.state) == [.settled])
    _ = try show()
    try await replay(in: store)
    #expect(contents() == ["a": .value("cached a")])
  }

  @Test func `A program that ends during a change does not block it forever`()
    async throws
  {
    try await fill("a", "b")
    let before = contents()
    let (store, mend) = try await storeThatIsGone(at: "evict", number: 2)
    #expect(await failure { try await evict(["a", "b"], in: store) } != nil)
    #expect(contents() == ["b": .value("cached b")])
    #expect(try await journal.steps().map(\.state) == [.interrupted])
    mend()
    #expect(try await replay(in: store).count == 1)
    #expect(contents() == before)
  }

  @Test func `An interrupted change is undone as far as possible`() async throws {
    try await fill("a", "b", "c")
    let (store, mend) = try await storeThatIsGone(at: "evict", number: 3)
    #expect(await failure { try await evict(["a", "b", "c"], in: store) } != nil)
    #expect(contents() == ["c": .value("cached c")])
    #expect(try await journal.steps().map(\.state) == [.interrupted])
    // An entry that the program has cached meanwhile does not prevent restoring the other.
    try await cache.put("theirs", forId: "a").get()
    mend()
    #expect(try await replay(in: store).count == 1)
    let all = contents()
    #expect(all == ["a": .value("theirs"), "b": .value("cached b"), "c": .value("cached c")])
  }

  @Test func `Entries evicted by a small cache during a stopped refresh are restored`() async throws
  {
    let small = Cache(
      inner, expiryInterval: 1_000_000, costLimit: 5,
      cost: { if case .value(let value) = $0, value.hasPrefix("old") { 1 } else { 9 } })
    for key in ["a", "b"] { try await small.put("old \(key)", forId: key).get() }
    for key in ["a", "b"] { try await inner.put("larger \(key)", forId: key).get() }
    let location = try program.show { $0.expose(small, as: "cache", isWritable: true) }
    let store = try await store(location, journal: journal)
    let scan = Scan { scan in if scan.changed == 1 { scan.stop() } }
    await #expect(throws: CancellationError.self) {
      _ = try await store.cache?.refresh([.text("a"), .text("b")], scan)
    }
    #expect(small.inspectKeys() == ["b"])
    #expect(try await replay(in: store).count == 1)
    #expect(small.inspect("a")?.content == .value("old a"))
  }

  @Test func `Entries refreshed before the program ended are recorded`() async throws {
    try await fill("a", "b")
    try await inner.put("newer a", forId: "a").get()
    let before = contents()
    let (store, mend) = try await storeThatIsGone(at: "refresh", number: 2)
    #expect(await failure { _ = try await refresh(["a", "b"], in: store) } != nil)
    #expect(contents()["a"] == .value("newer a"))
    mend()
    #expect(try await replay(in: store).count == 1)
    #expect(contents() == before)
  }

  @Test(arguments: [true, false])
  func `A stopped batch is a change of the entries changed so far`(
    isRefresh: Bool
  ) async throws {
    let keys = (0..<20).map { "k\($0)" }
    for key in keys {
      try await fill(key)
      try await inner.put("newer", forId: key).get()
    }
    let (before, ends) = (contents(), ends())
    let store = try await store()
    let cache = cache
    let scan = Scan { scan in
      guard scan.changed == 5 else { return }
      // An eviction by the program itself is not part of the change.
      cache.evict("k10")
      scan.stop()
    }
    let all = keys.map { EntryKey.text($0) }
    await #expect(throws: CancellationError.self) {
      if isRefresh {
        _ = try await store.cache?.refresh(all, scan)
      } else {
        try await store.cache?.evict(all, scan)
      }
    }
    let left = contents()
    let others = keys.filter { $0 != "k10" }
    #expect(others.filter { left[$0] != before[$0] } == Array(others.prefix(5)))
    #expect(try await journal.steps().map(\.step.count) == [5])
    #expect(try await journal.steps().map(\.state) == [.settled])
    try await replay(in: store)
    #expect(contents() == before.filter { $0.key != "k10" })
    #expect(self.ends() == ends.filter { $0.key != "k10" })
  }

  @Test func `A custom cache does not record changes`() async throws {
    let own = CustomCache()
    let location = try program.show { $0.expose(own, as: "own", isWritable: true) }
    let store = try await store(location, "own", journal: journal)
    #expect(try await refresh(["a"], in: store) == [.text("a")])
    try await evict(["a"], in: store)
    #expect(own.inspectKeys().isEmpty)
    let why = "the previous value is not in the journal"
    #expect(store.warnings?.take().contains { $0.contains(why) } == true)
    #expect(try await journal.steps().isEmpty)
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `An older program performs the change, which is not recorded`(
    _ version: UInt8
  ) async throws {
    try await fill("a", "b")
    try await inner.put("newer b", forId: "b").get()
    _ = try show()
    let path = program.folder + "/old.sock"
    #expect(RelayedProgram.listen(version: version, at: path, for: program.socket))
    let store = try await store("unix:" + path, journal: journal)
    try await evict(["a"], in: store)
    #expect(store.warnings?.take().contains { $0.contains("older HarmonyInspection") } == true)
    #expect(try await refresh(["b"], in: store) == [.text("b")])
    #expect(contents() == ["b": .value("newer b")])
    #expect(try await journal.steps().isEmpty)
    #expect(try await store.cache?.exchangeObstacle() != nil)
    let end = ExpiryChange(.text("b"), expires: Date(timeIntervalSinceNow: 4_000))
    let isKnown = version > 1
    let refusal = await failure {
      _ = try await store.setExpiry(end)
    }
    #expect((refusal == nil) == isKnown)
  }

  @Test func `A read-only cache refuses changes, and nothing is recorded`() async throws {
    try await fill("a")
    let location = try program.show {
      $0.expose(cache, as: "closed")
      $0.expose(inner, as: "plain", isWritable: true)
    }
    let store = try await store(location, "closed", journal: journal)
    #expect(await failure { try await evict(["a"], in: store) } != nil)
    #expect(await failure { _ = try await refresh(["a"], in: store) } != nil)
    #expect(try await self.store(location, "plain", journal: journal).cache == nil)
    #expect(contents() == ["a": .value("cached a")])
    #expect(try await journal.steps().isEmpty)
  }
}
