import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Changes to the sources of a live process.
@Suite struct LiveWritingTests: LiveSuite {
  private let program = LiveProgram()

  @Test func `A conditional write to a changed value is a conflict`() async throws {
    let texts = InMemoryDataSource<String>()
    try await texts.put("old", forId: "a").get()
    let location = try program.show { $0.expose(texts, as: "texts", isWritable: true) }
    let store = try await store(location)
    let read = try await store.source.get(EntryQuery(.text("a"))).getCancelling()
    try await texts.put("theirs", forId: "a").get()
    let new = Entry(key: .text("a"), value: .text("mine"))
    let conflict = await failure {
      _ = try await store.source.put(
        new, in: ReplaceQuery(.text("a"), expecting: read.fingerprint)
      ).getCancelling()
    }
    guard case .conflict(let current) = conflict else {
      Issue.record("no conflict: \(String(describing: conflict))")
      return
    }
    #expect(current?.value == .text("theirs"))
    #expect(try await texts.get(IdQuery("a")).get() == "theirs")
    let taken = await failure {
      _ = try await store.source.put(new, in: ReplaceQuery(.text("a"), expecting: nil))
        .getCancelling()
    }
    #expect(taken == .conflict(current: current))
    let kept = await failure {
      try await store.source.delete(EntryQuery(.text("a"), expecting: read.fingerprint))
        .getCancelling()
    }
    #expect(kept == .conflict(current: current))
    let stored = try await store.source.put(
      new, in: ReplaceQuery(.text("a"), expecting: current?.fingerprint)
    ).getCancelling()
    #expect(stored.value == .text("mine"))
    try await store.source.delete(EntryQuery(.text("a"), expecting: stored.fingerprint))
      .getCancelling()
    #expect(texts.keys.isEmpty)
  }

  @Test
  func `Renames and prefix deletions ignore entries that are only in the backing store`()
    async throws
  {
    let inner = InMemoryDataSource<String>()
    try await inner.put("backing store", forId: "s:0").get()
    let cache = TimedCacheDataSource(inner)
    try await cache.put("1", in: IdQuery("s:1")).get()
    try await cache.put("2", in: IdQuery("s:2")).get()
    let location = try program.show { $0.expose(cache, as: "cache", isWritable: true) }
    let store = try await store(location)
    #expect(store.capabilities.contains(.expiry))
    let read = try await store.source.get(EntryQuery(.text("s:2"))).getCancelling()
    #expect(read.expires != nil)
    let renamed = try await store.source.put(
      nil,
      in: RenameQuery(.text("s:2"), to: .text("s:3"), expecting: try #require(read.fingerprint))
    ).getCancelling()
    #expect(renamed.key == .text("s:3"))
    #expect(try await keys(store, EntryPageQuery()) == [.text("s:1"), .text("s:3")])
    let scan = Scan()
    try await store.source.delete(PrefixQuery("s:", scan: scan)).getCancelling()
    #expect(scan.examined == 2)
    #expect(inner.keys == ["s:0"])
  }

  @Test func `Setting expiries changes the cache but not the backing store`()
    async throws
  {
    let folder = try TestFolder()
    let journal = Journal(path: folder.file("journal.db"))
    let inner = InMemoryDataSource<String>()
    // The cache uses the same clock as the browser.
    let cache = TimedCacheDataSource(inner, expiryInterval: 1_000_000)
    for key in ["a", "b", "c"] { try await cache.put(key, in: IdQuery(key)).get() }
    try await inner.put("other", forId: "a").get()
    try await inner.delete(IdQuery("b")).get()
    let location = try program.show { $0.expose(cache, as: "cache", isWritable: true) }
    let store = try await store(location, journal: journal)
    #expect(store.capabilities.isSuperset(of: [.expiry, .cache, .ages, .uses, .looseTimes]))
    let read = try await store.source.get(EntryQuery(.text("a"))).getCancelling()
    let wrong = await failure {
      _ = try await store.setExpiries([
        ExpiryChange(.text("b"), expires: nil), ExpiryChange(.text("x"), expires: nil),
      ])
    }
    guard case .conflict = wrong else {
      Issue.record("\(String(describing: wrong))")
      return
    }
    #expect(cache.inspect("b")?.isEndless == false)
    let end = Date(timeIntervalSinceNow: 500_000)
    let written = try await store.setExpiries([
      ExpiryChange(.text("a"), expires: nil, expecting: read.fingerprint),
      ExpiryChange(.text("b"), expires: Date(timeIntervalSinceNow: -1)),
      ExpiryChange(.text("c"), expires: end),
    ])
    #expect(written.map { $0.expires == nil } == [true, false, false])
    #expect(cache.inspect("a")?.isEndless == true)
    #expect(cache.inspect("b")?.isExpired == true)
    // Regardless of how late the response was.
    #expect(written.last?.expires.map { abs($0.timeIntervalSince(end)) < 0.001 } == true)
    #expect(
      try await keys(store, EntryPageQuery(expiring: .never)) == [.text("a")])
    let service = try #require(store.cache)
    #expect(try await service.backing(.text("a"))?.value == .text("other"))
    let refreshed = try await service.refresh([.text("a"), .text("b")])
    #expect(refreshed.map(\.key) == [.text("a")])
    #expect(cache.inspect("a")?.content == .value("other"))
    #expect(cache.inspect("b") == nil)
    try await service.evict([.text("c"), .text("x")])
    #expect(cache.inspectKeys() == ["a"])
    #expect(inner.keys == ["a", "c"])
    _ = try await cache.get(IdQuery("a")).get()
    #expect(try await service.tally().hits == 1)
    #expect(
      try await keys(store, EntryPageQuery(order: EntryOrder(.hits, isDescending: true)))
        == [.text("a")])
  }

  @Test func `A change is undone unless the program has changed the value since`()
    async throws
  {
    let folder = try TestFolder()
    let journal = Journal(path: folder.file("journal.db"))
    let texts = InMemoryDataSource<String>()
    try await texts.put("old", forId: "a").get()
    let location = try program.show { $0.expose(texts, as: "texts", isWritable: true) }
    let store = try await store(location, journal: journal)
    func put(_ text: String) async throws {
      let read = try await store.source.get(EntryQuery(.text("a"))).getCancelling()
      _ = try await store.source.put(
        Entry(key: .text("a"), value: .text(text)),
        in: ReplaceQuery(.text("a"), expecting: read.fingerprint)
      ).getCancelling()
    }
    try await put("new")
    try await store.replay(ReplayRequest())
    #expect(try await texts.get(IdQuery("a")).get() == "old")
    try await put("newer")
    try await texts.put("theirs", forId: "a").get()
    let error = await failure {
      try await store.replay(ReplayRequest())
    }
    #expect(error != nil)
    #expect(try await texts.get(IdQuery("a")).get() == "theirs")
    #expect(
      try Stores.journalPlace(fromText: location)
        == .store(StoreLocation(path: location, collection: nil)))
  }

  @Test func `A list stays a list`() async throws {
    let texts = InMemoryDataSource<String>()
    try await texts.putAll(["1", "2"], in: IdQuery("a")).get()
    let location = try program.show { $0.expose(texts, as: "texts", isWritable: true) }
    let store = try await store(location)
    let read = try await store.source.get(EntryQuery(.text("a"))).getCancelling()
    #expect(read.value == .array([.text("1"), .text("2")]))
    var new = Entry(key: .text("a"), value: .array([.text("3")]), form: read.form)
    new = try await store.source.put(
      new, in: ReplaceQuery(.text("a"), expecting: read.fingerprint)
    ).getCancelling()
    #expect(try await texts.getAll(IdQuery("a")).get() == ["3"])
    #expect(new.form == read.form)
  }

  @Test func `Setting the expiry of cached entries is undone`() async throws {
    let folder = try TestFolder()
    let journal = Journal(path: folder.file("journal.db"))
    // The cache uses the same clock as the browser.
    let cache = TimedCacheDataSource(InMemoryDataSource<String>(), expiryInterval: 9_000)
    for key in ["a", "b"] { try await cache.put(key, in: IdQuery(key)).get() }
    let location = try program.show { $0.expose(cache, as: "cache", isWritable: true) }
    let store = try await store(location, journal: journal)
    func endlessKeys() -> [String] { ["a", "b"].filter { cache.inspect($0)?.isEndless == true } }
    let never = ["a", "b"].map { ExpiryChange(.text($0), expires: nil) }
    _ = try await store.setExpiries(never)
    #expect(endlessKeys() == ["a", "b"])
    let record = try #require(try await journal.steps().first)
    #expect(record.step.action == .touch && record.step.count == 2)
    // A touch does not record previous values.
    #expect(try await store.history?.entry(before: .text("a")) == nil)
    try await store.replay(ReplayRequest())
    #expect(endlessKeys().isEmpty)
    #expect(cache.inspect("a").map { $0.remaining > .seconds(4_000) } == true)

    // The program changes an expiry after the next touch.
    _ = try await store.setExpiries(never)
    cache.setRemaining(.seconds(700), of: "b")
    let error = await failure {
      try await store.replay(ReplayRequest())
    }
    guard case .conflict(let current)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(current?.key == .text("b"))
    #expect(endlessKeys() == ["a"])
  }
}
