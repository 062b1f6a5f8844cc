import Foundation
import Harmony
import HarmonyRedis
import HarmonyTesting
import LarderModel
import RedisBench
import Testing

@testable import LarderRedis
import LarderStores

/// Opening, listing, expiries, renames and permissions.
struct RedisStoreTests {
  /// The options on a machine that is slow because of other tests.
  private static let patient = OpenOptions(busyTimeout: .seconds(120))

  // MARK: Laws

  @Test func `a database obeys the laws`() async throws {
    // The laws create sources synchronously, so enough are opened in advance.
    var opened: [RedisStoreBench] = []
    for _ in 0..<12 { opened.append(try await RedisStoreBench()) }
    let stores = Locked(opened)
    let violations = await DataSourceLaws.check(
      DataSourceFixture(
        "Redis", samples: [3, 1, 4, 15, 9, 26, -5], storesLists: false, listsKeys: false
      ) {
        let bench = try #require(stores.withLock { $0.popLast() })
        return AnyDataSource(
          DataSourceMapper(
            dataSource: bench.store.source, toInMapper: NumberToEntry(),
            toOutMapper: EntryToNumber()))
      }, seed: 7, sequences: 4, length: 40, writers: 20)
    #expect(violations == [])
  }

  // MARK: Opening

  @Test(
    arguments: [
      ("redis://localhost", "redis://localhost:6379", nil),
      ("redis://:7000/3", "redis://localhost:7000", 3),
      ("rediss://ada@Cache.Example:6380/2", "rediss://ada@cache.example:6380", 2),
      ("valkey://[::1]:7000", "valkey://[::1]:7000", nil),
      ("redis://a:1,b/", "redis://a:1,b:6379", nil),
      ("redis+unix:/run/redis.sock", "redis+unix:/run/redis.sock", nil),
    ] as [(String, String, Int?)])
  func `locations have a canonical form`(_ text: String, _ path: String, _ database: Int?) throws {
    let location = try RedisLocation(text)
    #expect(location.path == path)
    #expect(location.database == database)
    #expect(try RedisLocation(path).addresses == location.addresses)
  }

  @Test(arguments: [
    ("redis://h:6379", ["valkey://h", "redis://H/"]), ("rediss://ada@h:7", ["valkeys://ada@h:7"]),
  ])
  func `the journal identifies a server by one location`(
    _ path: String, _ others: [String]
  ) throws {
    for other in [path] + others {
      #expect(try RedisKind.resolved(StoreLocation(path: other))?.path == path)
    }
  }

  @Test(arguments: [
    "redis:x", "redis://h:0", "redis://h:port", "redis://h/one", "redis://[::1", "redis+unix:",
    "redis://ada:secret@h", "redis://:secret@h",
  ])
  func `invalid locations are refused, and passwords in them not repeated`(
    _ text: String
  ) async throws {
    let error = await #expect(throws: StoreError.self) { try await Stores.open(text) }
    #expect(error?.code == "cannotOpen")
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `databases with keys are collections`() async throws {
    let server = try await onThread { try RedisServer() }
    for number in [0, 3] {
      let client = server.client { $0.database = number }
      try await client.send(.write("SET", key: "k", "v"))
    }
    let open = try await Stores.open("redis://127.0.0.1:\(server.port)", options: Self.patient)
    #expect(open.collections.map(\.name) == ["0", "3"])
    let error = await #expect(throws: StoreError.self) { try await open.store(nil) }
    #expect(error?.code == "cannotOpen")
    #expect(try await open.store("3").source.entry(.text("k"))?.value == .text("v"))
    #expect(try await open.store("5").source.entry(.text("k")) == nil)
    let socket = try await Stores.open(
      "redis+unix:\(server.folder)/socket#3", options: Self.patient)
    #expect(socket.location.collection == "3")
  }

  @Test func `a server that is gone or wants a password is explained`() async throws {
    let server = try await onThread { try RedisServer(["--requirepass", "secret"]) }
    let location = "redis://127.0.0.1:\(server.port)"
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) {
        try await Stores.open(location, options: Self.patient)
      }
      #expect(error?.code == "cannotOpen")
      let addresses = error?.message.components(separatedBy: ":\(server.port)").count
      #expect(addresses == 2, "\(error?.message ?? "")")
      server.stop()
    }
  }

  // MARK: Lists

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `keys are listed in their order in both directions`(
    _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let prefix = "p*[\(UUID())]?\\:"
    let names = (0..<250).map { prefix + "\($0)" }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    for name in names.shuffled() + ["pother"] {
      try await bench.client.send(.write("SET", key: RedisArgument(name), "v"))
    }
    #expect(try await bench.keys(EntryPageQuery(prefix: prefix, limit: 1_000)) == names)
    var query = EntryPageQuery(prefix: prefix, after: .text(names[9]), limit: 5)
    #expect(try await bench.keys(query) == Array(names[10..<15]))
    query.direction = .backward
    #expect(try await bench.keys(query) == names[4..<9].reversed())
    query.after = .malformedText(Array(prefix.utf8) + [0xFF])
    #expect(try await bench.keys(query) == names[245...].reversed())
    query = EntryPageQuery(prefix: prefix, filter: EntryFilter(.suffix("7")), limit: 3)
    #expect(
      try await bench.keys(query) == Array(names.filter { $0.hasSuffix("7") }.prefix(3)))
    try await bench.run("APPEND \(prefix)7 alue")
    query = EntryPageQuery(prefix: prefix, filter: EntryFilter(.text("alu"), in: .values))
    #expect(try await bench.keys(query) == [prefix + "7"])
    try await bench.run("EXPIRE \(prefix)8 1000")
    query = EntryPageQuery(
      prefix: prefix, order: EntryOrder(.expires), limit: 1, detail: .summary)
    #expect(try await bench.keys(query) == [prefix + "8"])
    query = EntryPageQuery(prefix: prefix, expiring: ExpiryRange(upTo: Date() + 2_000))
    #expect(try await bench.keys(query) == [prefix + "8"])
    let count = try await bench.store.source.get(CountQuery(prefix: prefix)).get()
    #expect(count.value == .integer(250))
  }

  @Test(arguments: [false, true])
  func `keys beyond the memory of one listing are listed again`(_ isBackward: Bool) async throws {
    let bench = try await RedisStoreBench()
    let names = (0..<500).map { "key:\($0)" }
    for name in names { try await bench.client.send(.write("SET", key: RedisArgument(name), "")) }
    let sorted = names.sorted().map { Array($0.utf8) }
    let wanted = isBackward ? sorted.reversed() : sorted
    let keys = RedisKeys(bench.client, capacity: 2_000)
    let some = try await keys.next(2, below: [], after: nil, isBackward: isBackward, nil)
    #expect(some == Array(wanted.prefix(2)))
    var found: [[UInt8]] = []
    while true {
      let page = try await keys.next(
        30, below: Array("key:".utf8), after: found.last, isBackward: isBackward, nil)
      if page.isEmpty { break }
      found += page
    }
    #expect(found == wanted)
  }

  @Test func `a sample of a large database has some entries with a prefix`() async throws {
    let bench = try await RedisStoreBench()
    func sample(_ limit: Int, _ prefix: String) async throws -> [Entry] {
      let page = EntryPageQuery(prefix: prefix, limit: limit, detail: .summary)
      return try await bench.store.source.getAll(SampleQuery(page)).get()
    }
    let script = "for i = 1, ARGV[1] do redis.call('SET', ARGV[2] .. i, 'v') end"
    for (prefix, count) in [("a:", "30"), ("b:", "19970")] {
      #expect(try await sample(100, "a:").isEmpty)
      try await bench.client.send(
        RedisCommand(
          ["EVAL", script, "0", count, prefix].map { RedisArgument($0) }, key: nil, isWrite: true))
    }
    let all = try await sample(100, "a:")
    #expect(all.count == 30 && Set(all.map(\.key)).count == 30)
    #expect(all.allSatisfy { $0.typeName != nil })
    let some = try await sample(7, "a:")
    #expect(some.count == 7 && Set(some.map(\.key)).isSubset(of: all.map(\.key)))
    #expect(try await sample(7, "c:").isEmpty)
  }

  @Test func `listed keys serve other pages only as far as they reach`() {
    var keys = SortedKeys(below: [1], after: [1, 5], isBackward: false, capacity: 200)
    for byte in (0...255).reversed() as ReversedCollection<ClosedRange<UInt8>> {
      keys.add([1, byte])
      keys.add([2, byte])
    }
    keys.sort()
    #expect(keys.page(2, below: [1], after: [1, 5], isBackward: false) == [[1, 6], [1, 7]])
    #expect(keys.page(1, below: [1, 7], after: [1, 6], isBackward: false) == [[1, 7]])
    #expect(keys.page(1, below: [1], after: [1, 4], isBackward: false) == nil)
    #expect(keys.page(1, below: [1], after: nil, isBackward: false) == nil)
    #expect(keys.page(1, below: [1], after: [1, 200], isBackward: false) == nil)
    #expect(keys.page(1, below: [1], after: [1, 9], isBackward: true) == nil)
    #expect(keys.page(1, below: [], after: [1, 9], isBackward: false) == nil)
  }

  // MARK: Expiry

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `expiries are set, removed and restored to the millisecond`(
    _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let key = "k\(UUID())"
    try await bench.run("SET \(key) v PXAT 4102444800123")
    func expiry() async throws -> Int64? { try await bench.run("PEXPIRETIME \(key)").integer }
    let date = Date(timeIntervalSince1970: 4_000_000_000.456)
    let entry = try await bench.store.setExpiry(ExpiryChange(.text(key), expires: date))
    #expect(entry.expires == date)
    #expect(try await expiry() == 4_000_000_000_456)
    _ = try await bench.store.setExpiry(ExpiryChange(.text(key), expires: nil))
    #expect(try await expiry() == -1)
    try await bench.store.replay(ReplayRequest())
    #expect(try await expiry() == 4_000_000_000_456)
    try await bench.store.replay(ReplayRequest())
    #expect(try await expiry() == 4_102_444_800_123)
    let error = await #expect(throws: StoreError.self) {
      try await bench.store.setExpiry(ExpiryChange(.text(key), expires: Date() - 1))
    }
    #expect(error?.code == "notSupported")
    let service = try #require(bench.store.expiry)
    // The second time, only the expiry is another.
    for date in [date, date + 1] {
      let timed = try await service.entry(
        Entry(key: .text(key), value: .text("w")), expiring: date)
      _ = try await bench.store.source.put(timed, in: EntryQuery(.text(key))).get()
      #expect(try await bench.run("GET \(key)").text == "w")
      #expect(try await expiry() == .milliseconds(date))
    }
  }

  @Test func `expiries of servers before version 7 are read too`() async throws {
    let server = try await onThread { try RedisServer(["--rename-command", "PEXPIRETIME", ""]) }
    try await server.client().send(.write("SET", key: "k", "v", "PX", 100_000))
    let store = try await RedisStoreBench.open("redis://127.0.0.1:\(server.port)/0", server)
    let entry = try #require(try await store.source.entry(.text("k")))
    let left = try #require(entry.expires).timeIntervalSinceNow
    #expect((1...100.1).contains(left))
  }

  // MARK: Renames

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `entries are renamed with their expiry, also to other nodes`(
    _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let scope = "\(UUID())"
    let names = (0..<20).map { "\(scope)\($0)" }
    var renames: [RenameQuery] = []
    for name in names {
      try await bench.run("RPUSH \(name) a b")
      try await bench.run("PEXPIREAT \(name) 4102444800123")
      let fingerprint = try #require(try await bench.entry(name)?.fingerprint)
      renames.append(
        RenameQuery(.text(name), to: .text("new" + name), expecting: fingerprint))
    }
    let renamed = try await bench.store.source.putAll([], in: RenamesQuery(renames)).get()
    #expect(renamed.map(\.key) == renames.map(\.newKey))
    for name in names {
      #expect(try await bench.run("EXISTS \(name)").integer == 0)
      #expect(try await bench.run("LLEN new\(name)").integer == 2)
      #expect(try await bench.run("PEXPIRETIME new\(name)").integer == 4_102_444_800_123)
    }
    try await bench.store.replay(ReplayRequest())
    #expect(try await bench.keys(EntryPageQuery(prefix: scope)).count == 20)
    try await bench.run("SET taken\(scope) v")
    for other in ["taken\(scope)", names[1]] {
      let error = await #expect(throws: StoreError.self) {
        try await bench.store.source.put(
          nil,
          in: RenameQuery(.text(names[0]), to: .text(other), expecting: renames[0].expecting)
        ).get()
      }
      #expect(error?.code == "conflict")
    }
    #expect(try await bench.run("LLEN \(names[0])").integer == 2)
  }

  // MARK: Prefixes

  @Test(arguments: RedisStoreBench.Place.allCases)
  func `entries with a prefix are deleted and restored together`(
    _ place: RedisStoreBench.Place
  ) async throws {
    let bench = try await RedisStoreBench(place)
    let prefix = "p*\(UUID()):"
    for number in 0..<300 { try await bench.run("SET \(prefix)\(number) v EX 1000") }
    try await bench.run("SET pa\(prefix) v")
    let scan = Scan()
    try await bench.store.source.delete(PrefixQuery(prefix, scan: scan)).get()
    #expect(scan.examined == 300)
    #expect(try await bench.keys(EntryPageQuery(prefix: prefix)).isEmpty)
    #expect(try await bench.run("EXISTS pa\(prefix)").integer == 1)
    try await bench.store.replay(ReplayRequest())
    let restored = try await bench.store.source.getAll(
      EntryPageQuery(prefix: prefix, limit: 1_000, detail: .summary)
    ).get()
    #expect(restored.filter { $0.expires != nil }.count == 300)
  }

  // MARK: Watching

  @Test func `changes of other programs end the wait for them`() async throws {
    let server = try await onThread { try RedisServer() }
    let store = try await RedisStoreBench.open(
      "redis://127.0.0.1:\(server.port)/0", server, timeLimit: .seconds(10))
    let makeFeed = try #require(store.changeFeed)
    let feed = makeFeed()
    try await feed.next()
    #expect(feed.limitation == nil)
    for command in [
      RedisCommand.write("SET", key: "k", "v", "PX", 50), .write("SET", key: "l", "v"),
    ] {
      let client = server.client()
      async let changed: Void = feed.next()
      try await client.send(command)
      try await changed
    }
    server.stop()
    try await feed.next()
    #expect(feed.limitation != nil)
  }

  // MARK: Permissions

  @Test func `a store opened read-only sends nothing that writes`() async throws {
    let bench = try await RedisStoreBench(isReadOnly: true)
    try await bench.run("SET k v")
    let pieces = (0..<3_000).map { RedisArgument("\($0)") }
    try await bench.client.send(RedisCommand(["RPUSH", "l"] + pieces, key: "l", isWrite: true))
    let user = "reader\(UUID())"
    try await bench.run(
      "ACL SETUSER \(user) on nopass ~* +@read +ping +info +select +cluster|slots")
    let client = bench.server.client {
      $0.user = user
      $0.password = "any"
      $0.database = bench.client.configuration.database
    }
    // Such a user may do everything that larder does.
    let entries = try await RedisReader(client, RedisFeatures()).all(["k", "l"])
    #expect(entries.map { $0?.entry.value } == [.text("v"), try await bench.value("l")])
    #expect(try await bench.value("k") == .text("v"))
    #expect(!bench.store.capabilities.contains(.writable))
    let writes: [Future<Void>] = [
      bench.store.source.put(Entry(key: .null, value: .text("w")), in: EntryQuery(.text("k")))
        .map { _ in },
      bench.store.source.delete(AllObjectsQuery()),
    ]
    for write in writes {
      let error = await #expect(throws: StoreError.self) { try await write.get() }
      #expect(error?.code == "readOnly")
    }
  }

  @Test func `lists do without sizes that the user may not ask for`() async throws {
    let server = try await onThread { try RedisServer() }
    let admin = server.client()
    try await admin.send(.write("SET", key: "k", "v"))
    try await admin.send(
      .write("ACL", "SETUSER", "default", "-memory", "-info", "-config"))
    let store = try await RedisStoreBench.open("redis://127.0.0.1:\(server.port)/0", server)
    let listed = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(listed.map(\.key) == [.text("k")])
    #expect(listed.map(\.type) == [.text])
    #expect(listed.map(\.size) == [nil])
    _ = try await store.source.put(Entry(key: .null, value: .text("w")), in: EntryQuery(.text("k")))
      .get()
    #expect(try await store.source.entry(.text("k"))?.value == .text("w"))
  }
}

private final class NumberToEntry: Mapper<Int, Entry>, @unchecked Sendable {
  override func map(_ from: Int) throws -> Entry { Entry(key: .null, value: .text("\(from)")) }
}

private final class EntryToNumber: Mapper<Entry, Int>, @unchecked Sendable {
  override func map(_ from: Entry) throws -> Int {
    guard case .text(let text)? = from.value, let number = Int(text) else {
      throw CoreError.NotValid()
    }
    return number
  }
}
