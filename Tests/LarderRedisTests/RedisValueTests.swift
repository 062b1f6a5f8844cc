import Foundation
import Harmony
import HarmonyRedis
import LarderModel
import LarderOperations
import RedisBench
import Testing

@testable import LarderRedis

/// Values of all types: how they are shown, edited and restored.
struct RedisValueTests {
  struct Case: Sendable {
    let type: String
    let commands: [String]
    let value: StoredValue
    let edited: StoredValue
  }

  static let cases = [
    Case(
      type: "string", commands: ["SET k hello"], value: .text("hello"), edited: .text("world")),
    Case(
      type: "hash", commands: ["HSET k name ada age 36 city london"],
      value: .dictionary([
        .init("age", .text("36")), .init("city", .text("london")), .init("name", .text("ada")),
      ]),
      edited: .dictionary([.init("age", .text("37")), .init("name", .text("ada"))])),
    Case(
      type: "list", commands: ["RPUSH k a b c"],
      value: .array([.text("a"), .text("b"), .text("c")]),
      edited: .array([.text("a"), .text("x"), .text("c")])),
    Case(
      type: "list", commands: ["RPUSH k a b c"],
      value: .array([.text("a"), .text("b"), .text("c")]), edited: .array([.text("c")])),
    Case(
      type: "list", commands: ["RPUSH k a"], value: .array([.text("a")]),
      edited: .array([.text("a"), .text("b")])),
    Case(
      type: "set", commands: ["SADD k b a"], value: .array([.text("a"), .text("b")]),
      edited: .array([.text("b"), .text("c")])),
    Case(
      type: "zset", commands: ["ZADD k 2.5 b 1 a inf c"],
      value: .dictionary([
        .init("a", .integer(1)), .init("b", .real(2.5)), .init("c", .real(.infinity)),
      ]),
      edited: .dictionary([.init("d", .real(-0.5)), .init("a", .integer(7))])),
    Case(
      type: "stream", commands: ["XADD k 1-1 f v", "XADD k 2-1 g w"],
      value: .dictionary([
        .init("1-1", .dictionary([.init("f", .text("v"))])),
        .init("2-1", .dictionary([.init("g", .text("w"))])),
      ]),
      edited: .dictionary([
        .init("2-1", .dictionary([.init("g", .text("w"))])),
        .init("3-0", .dictionary([.init("h", .text("x"))])),
      ])),
  ]

  @Test(arguments: cases, RedisStoreBench.Place.allCases)
  func `a value is edited with its expiry kept, and restored exactly`(
    _ one: Case, _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let key = "k\(UUID())"
    for command in one.commands {
      try await bench.run(command.replacingOccurrences(of: " k ", with: " \(key) "))
    }
    let expiry: Int64 = 4_102_444_800_123
    try await bench.run("PEXPIREAT \(key) \(expiry)")
    let dump = try await bench.run("DUMP \(key)")

    let entry = try #require(try await bench.entry(key))
    #expect(entry.value == one.value)
    #expect(entry.expires == Date(timeIntervalSince1970: 4_102_444_800.123))
    let listed = try await bench.store.source.getAll(
      EntryPageQuery(prefix: key, detail: .summary)
    ).get()
    #expect(listed.map(\.type) == [one.value.type])
    #expect(listed.map(\.expires) == [entry.expires])
    #expect(listed.map(\.size) == [entry.size])

    func checkRestored() async throws {
      // The members of a set have no order, which may differ after each restoration.
      if one.type == "set" {
        #expect(try await bench.run("TYPE \(key)").text == one.type)
        #expect(try await bench.value(key) == one.value)
      } else {
        #expect(try await bench.run("DUMP \(key)") == dump)
      }
      #expect(try await bench.run("PEXPIRETIME \(key)").integer == expiry)
    }
    try await bench.edit(key, one.edited)
    #expect(try await bench.run("TYPE \(key)").text == one.type)
    #expect(try await bench.run("PEXPIRETIME \(key)").integer == expiry)
    #expect(try await bench.value(key) == one.edited)
    try await bench.store.replay(ReplayRequest())
    try await checkRestored()
    try await bench.store.source.delete(
      EntryQuery(.text(key), expecting: entry.fingerprint)
    ).get()
    #expect(try await bench.run("EXISTS \(key)").integer == 0)
    try await bench.store.replay(ReplayRequest())
    try await checkRestored()
    try await bench.store.replay(ReplayRequest(isRedo: true))
    #expect(try await bench.entry(key) == nil)
  }

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `an edit of a value that another program has changed is refused`(
    _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let key = "k\(UUID())"
    try await bench.run("SADD \(key) a")
    let old = try #require(try await bench.entry(key)?.fingerprint)
    // A list with the same elements is not the same value.
    try await bench.run("UNLINK \(key)")
    try await bench.run("RPUSH \(key) a")
    for value in [StoredValue.array([.text("b")]), nil] {
      let change = EntryChange(.text(key), value: value, expecting: old)
      let error = await #expect(throws: StoreError.self) {
        try await bench.store.source.putAll([], in: ChangesQuery([change])).get()
      }
      #expect(error?.code == "conflict")
    }
    #expect(try await bench.run("TYPE \(key)").text == "list")
  }

  @Test func `entries of a stream are only added behind the others`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("XADD k 5-1 f v")
    for (id, value) in [("5-1", "w"), ("5-0", "v"), ("x", "v")] {
      let error = await #expect(throws: StoreError.self) {
        try await bench.edit(
          "k",
          .dictionary([
            .init("5-1", .dictionary([.init("f", .text("v"))])),
            .init(id, .dictionary([.init("f", .text(value))])),
          ]))
      }
      #expect(error?.code == "notSupported")
    }
    #expect(try await bench.run("XLEN k").integer == 1)
    #expect(try await bench.entry("k")?.editObstacle != nil)
    let copy = Entry(key: .null, value: try #require(try await bench.value("k")), form: "stream")
    _ = try await bench.store.source.put(copy, in: EntryQuery(.text("copy"))).get()
    #expect(try await bench.run("TYPE copy").text == "stream")
    #expect(try await bench.value("copy") == copy.value)
  }

  @Test func `names and bytes that are not text are shown, and are never written wrongly`()
    async throws
  {
    let bench = try await RedisStoreBench()
    let bytes = RedisArgument([0xFF, 0x00])
    try await bench.client.send(.write("SET", key: bytes, bytes))
    try await bench.client.send(.write("HSET", key: "h", bytes, "1", "a", "2"))
    let entry = try await bench.store.source.entry(.malformedText([0xFF, 0x00]))
    #expect(entry?.value == .data([0xFF, 0x00]))
    let hash = try #require(try await bench.entry("h"))
    #expect(hash.editObstacle != nil)
    let error = await #expect(throws: StoreError.self) {
      try await bench.edit("h", .dictionary([.init("a", .text("3"))]))
    }
    #expect(error?.code == "notSupported")
    let dump = try await bench.run("DUMP h")
    try await bench.store.source.delete(
      EntryQuery(.text("h"), expecting: hash.fingerprint)
    ).get()
    #expect(try await bench.run("EXISTS h").integer == 0)
    try await bench.store.replay(ReplayRequest())
    #expect(try await bench.run("DUMP h") == dump)
  }

  @Test(arguments: [
    StoredValue.null, .array([]), .dictionary([]), .array([.array([.text("a")])]),
    .dictionary([.init("a", .null)]),
  ])
  func `values that a server cannot hold are refused`(_ value: StoredValue) async throws {
    let bench = try await RedisStoreBench()
    let error = await #expect(throws: StoreError.self) { try await bench.edit("k", value) }
    #expect(error?.code == "notSupported")
    #expect(try await bench.run("EXISTS k").integer == 0)
  }

  @Test(arguments: [
    (StoredValue.integer(1), "1"), (.bool(true), "true"), (.real(0.5), "0.5"),
    (.number("1e3"), "1e3"),
  ])
  func `numbers and booleans become strings`(_ value: StoredValue, _ text: String) async throws {
    let bench = try await RedisStoreBench()
    #expect(try await bench.edit("k", value).value == .text(text))
    #expect(try await bench.run("GET k").text == text)
  }

  @Test func `another order of fields and members is not another value`() async throws {
    let bench = try await RedisStoreBench()
    let pairs = StoredValue.dictionary([.init("b", .integer(2)), .init("a", .integer(1))])
    for (form, value) in [
      ("set", .array([.text("b"), .text("a")])), ("zset", pairs), ("hash", pairs),
    ] as [(String, StoredValue)] {
      let given = Entry(key: .text(form), value: value, form: form)
      let stored = try await bench.store.source.put(given, in: EntryQuery(given.key)).get()
      #expect(bench.store.warnings(ofWriting: given, as: stored, at: Date()) == [])
      #expect(stored.contentTypeName == form)
    }
  }

  @Test func `the entry that a write returns is the stored one`() async throws {
    let bench = try await RedisStoreBench()
    let cases: [(String, StoredValue)] = [
      ("hash", .dictionary([.init("b", .integer(1)), .init("a", .bool(false))])),
      ("set", .array([.text("b"), .data([0xFF]), .integer(3)])),
      (
        "zset",
        .dictionary([
          .init("z", .text("1.50")), .init("b", .real(-.infinity)), .init("a", .number("0.15e1")),
          .init("c", .integer(1 << 60)),
        ])
      ),
      ("list", .array([.integer(2), .text("")])),
      (
        "stream",
        .dictionary([
          .init("1-01", .dictionary([.init("f", .integer(1))])),
          .init("1-2", .dictionary([.init("f", .text("v")), .init("f", .text("w"))])),
        ])
      ),
    ]
    for (form, value) in cases {
      let given = Entry(key: .null, value: value, form: form)
      let written = try await bench.store.source.put(given, in: EntryQuery(.text(form))).get()
      #expect(written == (try await bench.entry(form)), "\(form)")
    }
  }

  @Test func `fields of a hash keep expiries of their own`() async throws {
    var features = RedisFeatures()
    let old = RedisEntry("k", .hash).holding(
      .dictionary([.init("a", .text("1")), .init("b", .text("1")), .init("c", .text("1"))]))
    let new = StoredValue.dictionary([
      .init("a", .text("1")), .init("b", .text("2")), .init("c", .text("2")),
    ])
    let commands = try RedisCommands("k", new, RedisForm(nil), over: old).commands
    func restoring() async throws -> [[RedisArgument]] {
      try await features.keepingFieldExpiries(commands) { questions in
        #expect(questions.map(\.words) == [["HPEXPIRETIME", "k", "FIELDS", 2, "b", "c"]])
        return [.array([.integer(-1), .integer(4_102_444_800_123)])]
      }.map(\.words)
    }
    #expect(try await restoring() == [])
    features.hasFieldExpiries = true
    #expect(try await restoring() == [["HPEXPIREAT", "k", 4_102_444_800_123, "FIELDS", 1, "c"]])
  }

  @Test func `a hash with fields that expire notes that a copy is incomplete`() async throws {
    var features = RedisFeatures()
    let reading: RedisClient.Reading = { commands in
      commands.map { command in
        switch command.description {
        case "TYPE": .status("hash")
        case "HSCAN": .array([.bytes([48]), .array([1, 2, 3, 4].map { .bytes([$0]) })])
        case "HPEXPIRETIME": .array([.integer(-1), .integer(4_102_444_800_123)])
        default: .integer(-1)
        }
      }
    }
    for isKnown in [false, true] {
      features.hasFieldExpiries = isKnown
      let found = try await RedisReader(inside: reading, features).all(["k"]).first ?? nil
      #expect(found?.entry.loss == (isKnown ? Messages.expiringFields(1) : nil))
    }
  }

  @Test func `a member is not added twice`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("SADD s a b")
    try await bench.run("ZADD z 1 a")
    try await bench.run("HSET h a 1")
    let pairs = StoredValue.dictionary([.init("a", .integer(1)), .init("a", .integer(2))])
    for (key, value) in [
      ("s", .array([.text("a"), .text("b"), .text("a")])), ("z", pairs), ("h", pairs),
    ] as [(String, StoredValue)] {
      let error = await #expect(throws: StoreError.self) { try await bench.edit(key, value) }
      #expect(error == .repeated("a", in: .text(key)))
    }
  }

  // MARK: Expiries of imported and restored entries

  private func imported(
    _ text: String, until expires: Date?, to store: Store
  ) async throws -> Entry {
    let entry = Entry(key: .text("k"), value: .text(text), expires: expires)
    let imported = try #require(try await store.imported([entry]).first)
    return try await store.source.put(imported, in: IdQuery(EntryKey.text("k"))).get()
  }

  @Test func `an entry that has expired does not replace one that has not`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("SET k kept")
    let error = await #expect(throws: StoreError.self) {
      try await imported("v", until: Date(timeIntervalSince1970: 1), to: bench.store)
    }
    #expect(error == .pastExpiry(.text("k")))
    #expect(try await bench.value("k") == .text("kept"))
  }

  @Test func `an imported entry has its own expiry, not that of the one it replaces`() async throws
  {
    let bench = try await RedisStoreBench()
    try await bench.run("SET k old EX 1000")
    _ = try await imported("new", until: nil, to: bench.store)
    #expect(try await bench.run("PTTL k").integer == -1)
    // The last date that the server accepts.
    try await bench.run("SET k last PXAT 9223372036854775807")
    let last = try #require(try await bench.entry("k")?.expires)
    await #expect(throws: Never.self) {
      try await bench.store.imported([Entry(key: .text("k"), value: .text("v"), expires: last)])
    }
  }

  @Test func `undo keeps an expiry that another program has set`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("SET k v1 EX 1000")
    try await bench.edit("k", .text("v2"))
    try await bench.run("PEXPIRE k 50000")
    _ = try await bench.store.replay(ReplayRequest())
    #expect(try await bench.value("k") == .text("v1"))
    #expect((1...50_000).contains(try #require(try await bench.run("PTTL k").integer)))
  }

  @Test func `undo restores the expiry that the change replaced`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("SET k v1 EX 1000")
    _ = try await imported("v2", until: nil, to: bench.store)
    #expect(try await bench.run("PTTL k").integer == -1)
    _ = try await bench.store.replay(ReplayRequest())
    #expect((900_000...1_000_000).contains(try #require(try await bench.run("PTTL k").integer)))
  }

  @Test func `undo deletes nothing because the previous value has expired since`() throws {
    let dump = RedisDump(type: .string, expiry: 5_000, bytes: [0])
    let current = RedisEntry(
      entry: Entry(key: .text("k"), value: .text("v2")), type: .string, expiry: 5_000)
    #expect(throws: StoreError.expiredSince(.text("k"))) {
      try dump.restoring("k", over: current, now: 5_000)
    }
    #expect(try dump.restoring("k", over: current, now: 4_999) != nil)
    #expect(try dump.restoring("k", over: nil, now: 5_000) == nil)
  }
}
