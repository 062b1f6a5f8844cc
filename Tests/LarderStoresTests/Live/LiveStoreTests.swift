import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import LarderCore
import LarderStores
import Testing

/// The live sources of a program as stores.
@Suite struct LiveStoreTests {
  struct Session: Codable, Sendable, Equatable {
    var user: String
    var visits: Int
    var rate: Double
  }

  private let program = LiveProgram()

  private func entries(_ store: Store, _ query: EntryPageQuery) async throws -> [Entry] {
    try await store.source.getAll(query).getCancelling()
  }

  private func keys(_ store: Store, _ query: EntryPageQuery) async throws -> [EntryKey] {
    try await entries(store, query).map(\.key)
  }

  private func store(
    _ location: String, _ name: String? = nil, isReadOnly: Bool = false, journal: Journal? = nil
  ) async throws -> Store {
    let open = try await Stores.open(
      location, options: OpenOptions(isReadOnly: isReadOnly, busyTimeout: .seconds(600)),
      journal: journal)
    return try await open.store(name ?? open.location.collection)
  }

  /// What is thrown, as a person is told it.
  private func failure(_ body: () async throws -> Void) async -> StoreError? {
    do {
      try await body()
      return nil
    } catch {
      return StoreError(error)
    }
  }

  @Test func `The sources are collections, and info tells of the process`() async throws {
    let location = try program.show { inspector in
      inspector.expose(InMemoryDataSource<String>(), as: "texts", isWritable: true)
      inspector.expose(
        TimedCacheDataSource(InMemoryDataSource<Session>()), as: "sessions")
    }
    let open = try await Stores.open(
      location, options: OpenOptions(busyTimeout: .seconds(600)))
    #expect(open.kind.name == "unix")
    #expect(open.collections.map(\.name) == ["sessions", "texts"])
    #expect(open.collections.map(\.form) == ["timed cache of Session", "source of String"])
    #expect(open.collections.map(\.isWritable) == [false, true])
    #expect(open.facts.first { $0.name == "process" }?.text == String(getpid()))
    #expect(open.facts.first { $0.name == "program" }?.text.hasPrefix("/") == true)
    #expect(open.facts.first { $0.name == "sources" }?.text == "2")
    let error = await failure { _ = try await open.store(nil) }
    #expect(error?.message.contains("add #NAME for one of sessions, texts") == true)
    let missing = await failure { _ = try await open.store("nope") }
    #expect(missing?.message.contains("no source named \"nope\"") == true)
  }

  @Test func `Values have the types that their JSON has`() async throws {
    let sessions = InMemoryDataSource<Session>()
    try await sessions.put(Session(user: "ada", visits: 3, rate: 0.5), forId: "a").get()
    let numbers = InMemoryDataSource<Int>()
    try await numbers.put(42, forId: "answer").get()
    let blobs = InMemoryDataSource<Data>()
    try await blobs.put(Data([0, 255]), forId: "b").get()
    let texts = InMemoryDataSource<String>()
    try await texts.put("{", forId: "t").get()
    let location = try program.show { inspector in
      inspector.expose(sessions, as: "sessions", isWritable: true)
      inspector.expose(numbers, as: "numbers", isWritable: true)
      inspector.expose(blobs, as: "blobs", isWritable: true)
      inspector.expose(texts, as: "texts", isWritable: true)
    }
    func value(_ name: String, _ key: String) async throws -> StoredValue? {
      try await store(location, name).source.get(EntryQuery(.text(key))).getCancelling().value
    }
    #expect(
      try await value("sessions", "a")
        == .dictionary([
          .init("rate", .real(0.5)), .init("user", .text("ada")), .init("visits", .integer(3)),
        ]))
    #expect(try await value("numbers", "answer") == .integer(42))
    #expect(try await value("blobs", "b") == .data([0, 255]))
    #expect(try await value("texts", "t") == .text("{"))

    let stored = try await store(location, "sessions").source.put(
      Entry(
        key: .text("b"),
        value: .dictionary([
          .init("user", .text("gr\"ace")), .init("visits", .integer(1)),
          .init("rate", .integer(2)),
        ])), in: ReplaceQuery(.text("b"), expecting: nil)
    ).getCancelling()
    #expect(
      try await sessions.get(IdQuery("b")).get()
        == Session(user: "gr\"ace", visits: 1, rate: 2))
    // As the program keeps it, not as it was sent.
    #expect(
      stored.value
        == .dictionary([
          .init("rate", .integer(2)), .init("user", .text("gr\"ace")),
          .init("visits", .integer(1)),
        ]))
    let wrong = await failure {
      _ = try await store(location, "numbers").source.put(
        Entry(key: .text("x"), value: .text("many")), in: EntryQuery(.text("x"))
      ).getCancelling()
    }
    #expect(wrong?.message.contains("Int") == true)
    #expect(numbers.keys == ["answer"])
    let kind = await failure {
      _ = try await store(location, "texts").source.put(
        Entry(key: .text("x"), value: .integer(1)), in: EntryQuery(.text("x"))
      ).getCancelling()
    }
    #expect(kind?.message.contains("holds texts") == true)
  }

  @Test func `Keys come in pages, by prefix, filtered, sorted and counted`() async throws {
    let texts = InMemoryDataSource<String>()
    for number in 0..<2_345 {
      try await texts.put(String(repeating: "x", count: number % 7), forId: "k\(10_000 + number)")
        .get()
    }
    try await texts.put("needle", forId: "zz").get()
    let location = try program.show { $0.expose(texts, as: "texts") }
    let store = try await store(location)
    let all = try await keys(store, EntryPageQuery(limit: .max))
    #expect(all.count == 2_346)
    #expect(all == all.sorted())
    #expect(
      try await keys(store, EntryPageQuery(after: all[1_000], limit: 600))
        == Array(all[1_001...1_600]))
    #expect(
      try await keys(store, EntryPageQuery(after: all[700], limit: 600, direction: .backward))
        == Array(all[100..<700].reversed()))
    #expect(try await keys(store, EntryPageQuery(prefix: "k1001")).count == 10)
    #expect(
      try await keys(store, EntryPageQuery(filter: EntryFilter(.text("needle"), in: .values)))
        == [.text("zz")])
    #expect(
      try await keys(store, EntryPageQuery(filter: EntryFilter(.suffix("11234"))))
        == [.text("k11234")])
    let longest = try await entries(
      store,
      EntryPageQuery(
        order: EntryOrder(.size, isDescending: true), limit: 3, detail: .summary))
    #expect(longest.map(\.size) == [6, 6, 6])
    #expect(longest.map(\.type) == [.text, .text, .text])
    let count = try await store.source.get(CountQuery(prefix: "k")).getCancelling()
    #expect(count.value == .integer(2_345))
    let branches = try await store.source.getAll(PrefixSummaryQuery(delimiter: "1"))
      .getCancelling()
    #expect(branches.map(\.key) == [.branch("k1"), .text("zz")])
  }

  @Test func `A write that expects what is not there any more is a conflict`() async throws {
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

  @Test func `Entries get other keys, and a prefix goes, without what is only underneath`()
    async throws
  {
    let inner = InMemoryDataSource<String>()
    try await inner.put("underneath", forId: "s:0").get()
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

  @Test func `A cache is told until when entries count, and what is underneath stays apart`()
    async throws
  {
    let folder = try TestFolder()
    let journal = Journal(path: folder.file("journal.db"))
    let inner = InMemoryDataSource<String>()
    let clock = ManualClock()
    let cache = TimedCacheDataSource(inner, expiryInterval: 100, clock: clock)
    for key in ["a", "b", "c"] { try await cache.put(key, in: IdQuery(key)).get() }
    try await inner.put("other", forId: "a").get()
    try await inner.delete(IdQuery("b")).get()
    let location = try program.show { $0.expose(cache, as: "cache", isWritable: true) }
    let store = try await store(location, journal: journal)
    #expect(store.capabilities.isSuperset(of: [.expiry, .cache, .ages, .uses, .looseTimes]))
    let read = try await store.source.get(EntryQuery(.text("a"))).getCancelling()
    let wrong = await failure {
      _ = try await store.source.putAll(
        [],
        in: ExpiriesQuery([
          ExpiryQuery(.text("b"), expires: nil), ExpiryQuery(.text("x"), expires: nil),
        ])
      ).getCancelling()
    }
    guard case .conflict = wrong else {
      Issue.record("\(String(describing: wrong))")
      return
    }
    #expect(cache.inspect("b")?.isEndless == false)
    let written = try await store.source.putAll(
      [],
      in: ExpiriesQuery([
        ExpiryQuery(.text("a"), expires: nil, expecting: read.fingerprint),
        ExpiryQuery(.text("b"), expires: Date(timeIntervalSinceNow: -1)),
        ExpiryQuery(.text("c"), expires: Date(timeIntervalSinceNow: 1_000)),
      ])
    ).getCancelling()
    #expect(written.map { $0.expires == nil } == [true, false, false])
    #expect(cache.inspect("a")?.isEndless == true)
    #expect(cache.inspect("b")?.isExpired == true)
    #expect(cache.inspect("c").map { abs($0.remaining / .seconds(1) - 1_000) < 60 } == true)
    // What only a cache knows is not in the journal.
    let undo = await failure {
      _ = try await store.source.put(nil, in: UndoQuery()).getCancelling()
    }
    #expect(undo != nil)
    #expect(
      try await keys(store, EntryPageQuery(expiring: .never)) == [.text("a")])
    let beneath = try await store.source.get(BeneathQuery(.text("a"))).getCancelling()
    #expect(beneath.value == .text("other"))
    let refreshed = try await store.source.putAll([], in: RefreshQuery([.text("a"), .text("b")]))
      .getCancelling()
    #expect(refreshed.map(\.key) == [.text("a")])
    #expect(cache.inspect("a")?.content == .value("other"))
    #expect(cache.inspect("b") == nil)
    try await store.source.delete(EvictionQuery([.text("c"), .text("x")])).getCancelling()
    #expect(cache.inspectKeys() == ["a"])
    #expect(inner.keys == ["a", "c"])
    _ = try await cache.get(IdQuery("a")).get()
    let tally = CacheTally(try await store.source.get(CacheTallyQuery()).getCancelling())
    #expect(tally?.hits == 1)
    #expect(
      try await keys(store, EntryPageQuery(order: EntryOrder(.hits, isDescending: true)))
        == [.text("a")])
  }

  @Test func `What may only be read is not written`() async throws {
    let texts = InMemoryDataSource<String>()
    let location = try program.show { inspector in
      inspector.expose(texts, as: "closed")
      inspector.expose(texts, as: "open", isWritable: true)
    }
    let new = Entry(key: .text("a"), value: .text("1"))
    let stores = [
      try await store(location, "closed"), try await store(location, "open", isReadOnly: true),
    ]
    for store in stores {
      #expect(!store.capabilities.contains(.writable))
      #expect(store.readOnlyReason != nil)
      let error = await failure {
        _ = try await store.source.put(new, in: EntryQuery(new.key)).getCancelling()
      }
      guard case .readOnly = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(texts.keys.isEmpty)
  }

  @Test(arguments: [
    ("é", "e\u{301}"), ("a#b", "a"), ("\u{301}x", "x"), ("", "#"), ("line\nbreak", "\u{1B}[31m"),
  ])
  func `Names are told apart by their bytes`(_ first: String, _ second: String) async throws {
    let location = try program.show { inspector in
      for name in [first, second] {
        let texts = InMemoryDataSource<String>()
        texts.put(name, forId: "name")
        inspector.expose(texts, as: name)
      }
    }
    #expect(
      try await Stores.open(
        location, options: OpenOptions(busyTimeout: .seconds(600))
      ).collections.count == 2)
    for name in [first, second] {
      let store = try await store(location + "#" + name)
      let value = try await store.source.get(EntryQuery(.text("name"))).getCancelling().value
      #expect(value == .text(name), "\(name.debugDescription)")
    }
  }

  @Test func `A change is taken back, and not over what the program has written since`()
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
    _ = try await store.source.put(nil, in: UndoQuery()).getCancelling()
    #expect(try await texts.get(IdQuery("a")).get() == "old")
    try await put("newer")
    try await texts.put("theirs", forId: "a").get()
    let error = await failure {
      _ = try await store.source.put(nil, in: UndoQuery()).getCancelling()
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

  @Test func `It is told that the program has gone`() async throws {
    let texts = InMemoryDataSource<String>()
    let location = try program.show { $0.expose(texts, as: "texts") }
    let store = try await store(location)
    #expect(store.capabilities.contains(.departs))
    let departure = store.source.get(DepartureQuery())
    program.end()
    guard case .text(let reason)? = try await departure.get().value else {
      Issue.record("no reason")
      return
    }
    #expect(reason.contains("has ended"))
    // Whoever asks later is told at once.
    _ = try await store.source.get(DepartureQuery()).get()
    let error = await failure { _ = try await keys(store, EntryPageQuery()) }
    #expect(error?.message.contains("start the program") == true)
  }
}
