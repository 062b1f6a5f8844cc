import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import LarderModel
import LarderBrowser
import LarderStores
import Testing

/// Sources of a live process as stores.
@Suite struct LiveStoreTests: LiveSuite {
  struct Session: Codable, Sendable, Equatable {
    var user: String
    var visits: Int
    var rate: Double
  }

  private let program = LiveProgram()

  @Test func `Sources are collections, and the facts describe the process`() async throws {
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
    #expect(missing?.message.contains("no source “nope”") == true)
  }

  @Test func `Values have the types of their JSON`() async throws {
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
    // The value as the program stores it, not as it was sent.
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
    #expect(kind?.message.contains("stores text,") == true)
  }

  @Test func `Keys are paged, filtered, sorted and counted, also by prefix`() async throws {
    let texts = InMemoryDataSource<String>()
    for number in 0..<2_345 {
      texts.put(String(repeating: "x", count: number % 7), forId: "k\(10_000 + number)")
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

  @Test func `Read-only sources are not written`() async throws {
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
  func `Names are distinguished by their bytes`(_ first: String, _ second: String) async throws {
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

  @Test func `The end of the program is reported`() async throws {
    let texts = InMemoryDataSource<String>()
    let location = try program.show { $0.expose(texts, as: "texts") }
    let store = try await store(location)
    #expect(store.capabilities.contains(.departs))
    let departure = try #require(store.departure)
    async let reason = departure()
    program.end()
    #expect(try await reason.contains("has ended"))
    // Later calls return immediately.
    _ = try await departure()
    let error = await failure { _ = try await keys(store, EntryPageQuery()) }
    #expect(error?.message.contains("start the program") == true)
  }
}
