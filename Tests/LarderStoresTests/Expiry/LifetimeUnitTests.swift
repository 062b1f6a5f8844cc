import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Units of lifetimes, which are independent of the unit of their start column.
@Suite struct LifetimeUnitTests {
  /// The start of lifetimes in each unit: 1,790,000,000 seconds after 1970.
  private static let beginnings: [ExpiryUnit: String] = [
    .seconds: "1790000000", .milliseconds: "1790000000000", .microseconds: "1790000000000000",
    .nanoseconds: "1790000000000000000", .iso: "'2026-09-21T14:13:20Z'",
    .julian: "2461305.0925925926",
  ]

  private static func path(
    _ lifetime: String, _ beginning: ExpiryUnit, _ values: [String], _ folder: TestFolder
  ) async throws -> String {
    let start = try #require(beginnings[beginning])
    let rows = values.enumerated().map { "('\($0)', 'v', \($1), \(start))" }
    return try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, \(lifetime), created_at);"
        + "INSERT INTO cache VALUES \(rows.joined(separator: ", "));")
  }

  private static func store(_ path: String, _ folder: TestFolder) async throws -> Store {
    let journal = Journal(path: folder.file("journal.db"))
    return try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var column = "ttl"
    var beginning: ExpiryUnit
    var value: String
    var unit: LifetimeUnit
    var seconds: Double
    var hour: Int64
    var isCertain = true
    /// Whether several units are possible, so that a user has to choose one.
    var isAmbiguous = false
    var testDescription: String { "\(column) \(value) beside \(beginning)" }
  }

  static let cases: [Case] = [
    Case(beginning: .seconds, value: "3600", unit: .seconds, seconds: 3_600, hour: 3_600),
    Case(beginning: .milliseconds, value: "3600", unit: .seconds, seconds: 3_600, hour: 3_600),
    Case(beginning: .milliseconds, value: "600", unit: .seconds, seconds: 600, hour: 3_600),
    Case(beginning: .milliseconds, value: "86400", unit: .seconds, seconds: 86_400, hour: 3_600),
    Case(beginning: .milliseconds, value: "604800", unit: .seconds, seconds: 604_800, hour: 3_600),
    Case(
      beginning: .milliseconds, value: "2592000", unit: .seconds, seconds: 2_592_000, hour: 3_600),
    Case(
      beginning: .milliseconds, value: "60000", unit: .milliseconds, seconds: 60, hour: 3_600_000),
    Case(
      beginning: .milliseconds, value: "3600000", unit: .milliseconds, seconds: 3_600,
      hour: 3_600_000),
    Case(beginning: .microseconds, value: "3600", unit: .seconds, seconds: 3_600, hour: 3_600),
    Case(
      beginning: .microseconds, value: "3600000000", unit: .microseconds, seconds: 3_600,
      hour: 3_600_000_000),
    Case(beginning: .nanoseconds, value: "600", unit: .seconds, seconds: 600, hour: 3_600),
    Case(beginning: .iso, value: "600", unit: .seconds, seconds: 600, hour: 3_600),
    Case(beginning: .iso, value: "300000", unit: .milliseconds, seconds: 300, hour: 3_600_000),
    Case(beginning: .julian, value: "600", unit: .seconds, seconds: 600, hour: 3_600),
    // The column name contains the unit.
    Case(
      column: "ttl_seconds", beginning: .milliseconds, value: "5000", unit: .seconds,
      seconds: 5_000, hour: 3_600),
    Case(
      column: "ttl_ms", beginning: .seconds, value: "60000", unit: .milliseconds, seconds: 60,
      hour: 3_600_000),
    Case(
      column: "maxAgeMs", beginning: .milliseconds, value: "5000", unit: .milliseconds, seconds: 5,
      hour: 3_600_000),
    Case(
      column: "lifetime_minutes", beginning: .milliseconds, value: "90", unit: .minutes,
      seconds: 5_400, hour: 60),
    // A month in milliseconds could also be a date in seconds.
    Case(
      column: "ttl_ms", beginning: .seconds, value: "2592000000", unit: .milliseconds,
      seconds: 2_592_000, hour: 3_600_000),
    // Both units are possible; the one that expires later is the safe choice.
    Case(
      beginning: .milliseconds, value: "5000", unit: .seconds, seconds: 5_000, hour: 3_600,
      isCertain: false, isAmbiguous: true),
    Case(
      beginning: .milliseconds, value: "9173456", unit: .seconds, seconds: 9_173_456, hour: 3_600,
      isCertain: false, isAmbiguous: true),
    Case(beginning: .milliseconds, value: "599", unit: .seconds, seconds: 599, hour: 3_600),
    Case(
      beginning: .seconds, value: "60000", unit: .seconds, seconds: 60_000, hour: 3_600,
      isCertain: false),
  ]

  @Test(arguments: cases)
  func `A lifetime is read, filtered and written in its own unit`(_ test: Case) async throws {
    let folder = try TestFolder()
    let path = try await Self.path(test.column, test.beginning, [test.value, "NULL"], folder)
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    #expect(expiry.unit == test.beginning)
    #expect(expiry.lifetime == test.unit)
    #expect((expiry.confidence == .certain) == test.isCertain, "\(expiry.spoken)")
    #expect(expiry.doubts.isEmpty == test.isCertain, "\(expiry.doubts)")
    #expect(expiry.spoken.contains("\(test.column), in \(test.unit.spoken) from created_at, "))
    #expect(expiry.remedy == (test.isAmbiguous ? "--expires-unit s" : nil))
    let store = try await Self.store(path, folder)
    let end = Date(timeIntervalSince1970: 1_790_000_000 + test.seconds)
    func expired(_ date: Date) async throws -> [EntryKey] {
      let query = EntryPageQuery(expiring: ExpiryRange(upTo: date), detail: .summary)
      return try await store.source.getAll(query).get().map(\.key)
    }
    #expect(try await expired(end.addingTimeInterval(-0.5)).isEmpty)
    #expect(try await expired(end.addingTimeInterval(0.5)) == [.text("0")])
    let later = Date(timeIntervalSince1970: 1_790_007_200.001)
    if test.isAmbiguous {
      await #expect(throws: StoreError.self) {
        try await store.setExpiry(ExpiryChange(.text("0"), expires: later))
      }
      return
    }
    _ = try await store.setExpiry(ExpiryChange(.text("0"), expires: later))
    let cells = try await rows(path, "SELECT \(test.column) FROM cache ORDER BY key")
    let written = try #require(cells.first?.first.flatMap(\.wholeNumber))
    #expect(abs(Double(written - 2 * test.hour) * test.unit.seconds) < 0.01)
    #expect(cells.last == [.null])
    try await store.replay(ReplayRequest())
    #expect(
      try await rows(path, "SELECT \(test.column) FROM cache WHERE key = '0'")
        .first?.first.flatMap(\.wholeNumber) == Int64(test.value))
  }

  @Test(arguments: [
    ["2147483647", "3600", "7200"], ["1000000000", "3600", "7200"], ["2147483647", "3600"],
    ["9223372036854775807", "3600"], ["60000", "3600", "7200"], ["1000080000", "3600", "7200"],
    ["3600", "4523"],
  ])
  func `One large lifetime does not change the unit of the others`(
    _ values: [String]
  ) async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, values, folder)
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    #expect(expiry.lifetime == .seconds && expiry.remedy == nil, "\(expiry.doubts)")
  }

  @Test(arguments: [
    ["1000000000", "3600"], ["3600", "60000"], ["86400", "60000", "60000"], ["1500000000"],
    ["4523", "9173456", "86399"],
  ])
  func `Ambiguous lifetimes are read in the longer unit unless the unit is set`(
    _ values: [String]
  ) async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, values, folder)
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    #expect(expiry.lifetime == .seconds && expiry.remedy == "--expires-unit s")
    let options = OpenOptions(expiry: ExpiryChoice(unit: .milliseconds))
    let told = try await Stores.open(StoreLocation(path: path), options: options)
    #expect(told.collections.first?.expiry?.lifetime == .milliseconds)
    #expect(told.collections.first?.expiry?.remedy == nil)
  }

  @Test(arguments: ["3600", "3600.5"])
  func `A lifetime that would be read back in a finer unit is refused unless the unit is set`(
    _ length: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, [length, "3600"], folder)
    // 60,000 milliseconds are a minute, and 60,000 is not a usual number of seconds.
    let end = Date(timeIntervalSince1970: 1_790_060_000)
    let query = ExpiryChange(.text("0"), expires: end)
    let store = try await Self.store(path, folder)
    let before = try await rows(path, "SELECT ttl FROM cache ORDER BY key")
    await #expect(throws: StoreError.self) { try await store.setExpiry(query) }
    #expect(try await rows(path, "SELECT ttl FROM cache ORDER BY key") == before)
    let options = OpenOptions(expiry: ExpiryChoice(unit: .seconds))
    let told = try await Stores.store(path, options: options)
    let expires = try await told.setExpiry(query).expires
    #expect(expires.map { abs($0.timeIntervalSince(end)) < 0.001 } == true)
  }

  @Test(arguments: [
    ("ttl_ms", LifetimeUnit.milliseconds), ("ttl_seconds", .seconds), ("ttl_minutes", .minutes),
    ("ttl_hours", .hours), ("ttl_days", .days), ("ttl", .minutes), ("ttl", .hours), ("ttl", .days),
    ("ttl", .milliseconds),
  ])
  func `A lifetime whose unit is in its name or set explicitly is written exactly`(
    _ column: String, _ unit: LifetimeUnit
  ) async throws {
    let folder = try TestFolder()
    let start = Date().timeIntervalSince1970.rounded(.down)
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, \(column) INTEGER, created_at INTEGER);"
        + "INSERT INTO cache VALUES ('0', 'v', 30, \(Int(start) * 1_000));")
    var choice = ExpiryChoice()
    if column == "ttl" { choice.setUnit(unit.rawValue) }
    let store = try await Stores.store(path, options: OpenOptions(expiry: choice))
    for length in [1, 7, 24, 25, 26, 45, 60, 61, 90, 100, 1_440, 1_500, 60_000, 90_000] {
      let end = Date(timeIntervalSince1970: start + Double(length) * unit.seconds)
      guard end < Date(timeIntervalSince1970: 10_000_000_000) else { continue }
      let query = ExpiryChange(.text("0"), expires: end)
      let entry = try await store.setExpiry(query)
      #expect(try await rows(path, "SELECT \(column) FROM cache") == [[.integer(Int64(length))]])
      #expect(entry.expires.map { abs($0.timeIntervalSince(end)) < 0.001 } == true)
    }
  }

  @Test(arguments: [
    ("ttl_minutes INTEGER, created_at INTEGER", "30, ?", 37.0),
    ("expires_at TEXT", "'2027-01-01T12:00Z'", 0),
  ])
  func `Whole minutes are rounded up, unless the entry is to expire now`(
    _ columns: String, _ values: String, _ age: Double
  ) async throws {
    let folder = try TestFolder()
    let now = Date()
    let start = Int(now.timeIntervalSince1970 - age - 600)
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, \(columns));"
        + "INSERT INTO cache VALUES ('a', 'v', \(values.replacing("?", with: "\(start)")));")
    let store = try await Stores.store(path)
    // Far enough in the future, even if the test is delayed.
    let soon = now.addingTimeInterval(90_090)
    let entry = try await store.setExpiry(ExpiryChange(.text("a"), expires: soon))
    let end = try #require(entry.expires)
    #expect(end.timeIntervalSince(soon) > -1 && end.timeIntervalSince(soon) < 60)
    let again = try await store.setExpiry(ExpiryChange(.text("a"), expires: soon))
    #expect(again.expires == end, "what is stored already is told as it is stored")
    let over = try await store.setExpiry(ExpiryChange(.text("a"), expires: now))
    #expect(try #require(over.expires) <= now)
  }

  @Test func `Setting the unit of lifetimes does not change the unit of dates`() async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, ["5000"], folder)
    let options = OpenOptions(expiry: ExpiryChoice(unit: .milliseconds))
    let open = try await Stores.open(StoreLocation(path: path), options: options)
    let expiry = try #require(open.collections.first?.expiry)
    #expect(expiry.lifetime == .milliseconds)
    #expect(expiry.unit == .milliseconds)
    #expect(expiry.doubts.isEmpty)
    let seconds = OpenOptions(expiry: ExpiryChoice(unit: .seconds))
    let store = try await Stores.store(path, options: seconds)
    let entry = try await store.source.get(EntryQuery(.text("0"))).get()
    #expect(entry.expires == Date(timeIntervalSince1970: 1_790_005_000))
  }

  @Test(arguments: [
    ("ttl", "5", "min", 300.0), ("keep", "2", "h", 7_200), ("ttl", "3", "d", 259_200),
  ])
  func `Lifetimes can be set to longer units`(
    column: String, value: String, word: String, seconds: Double
  ) async throws {
    let folder = try TestFolder()
    let path = try await Self.path(column, .milliseconds, [value], folder)
    var choice = ExpiryChoice(column: column)
    choice.setUnit(word)
    let store = try await Stores.store(path, options: OpenOptions(expiry: choice))
    let entry = try await store.source.get(EntryQuery(.text("0"))).get()
    #expect(entry.expires == Date(timeIntervalSince1970: 1_790_000_000 + seconds))
  }

  @Test func `Hours are refused as the unit of a date`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);"
        + "INSERT INTO cache VALUES ('a', 'v', 1790000000);")
    let options = OpenOptions(expiry: ExpiryChoice(lifetime: .hours))
    let open = try await Stores.open(StoreLocation(path: path), options: options)
    let fact = open.facts.first { $0.name == "expiry" }?.text
    #expect(fact?.contains("hours can only be the unit of a duration") == true, "\(fact ?? "")")
  }

  @Test func `Without a lifetime in any row, none is written in a guessed unit`() async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, ["NULL"], folder)
    let store = try await Self.store(path, folder)
    let query = ExpiryChange(.text("0"), expires: Date(timeIntervalSince1970: 1_800_000_000))
    await #expect(throws: StoreError.self) { try await store.setExpiry(query) }
  }

  @Test func `An expiry too far away for the finest unit is refused`() async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl_ns", .nanoseconds, ["60000000000"], folder)
    let store = try await Self.store(path, folder)
    let query = ExpiryChange(.text("0"), expires: Date(timeIntervalSince1970: 200_000_000_000))
    await #expect(throws: StoreError.self) { try await store.setExpiry(query) }
  }

  @Test func `A lifetime in whole days cannot expire in between`() async throws {
    let folder = try TestFolder()
    let start = Date().timeIntervalSince1970.rounded(.down)
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, ttl_days INTEGER, created_at INTEGER);"
        + "INSERT INTO cache VALUES ('0', 'v', 7, \(Int(start)));")
    let store = try await Self.store(path, folder)
    let query = { (days: Double) in
      ExpiryChange(.text("0"), expires: Date(timeIntervalSince1970: start + days * 86_400))
    }
    let message = await refusal { _ = try await store.setExpiry(query(1.5)) }
    #expect(message?.contains("ttl_days stores whole days") == true, "\(message ?? "")")
    let next = Timestamp.text(of: Date(timeIntervalSince1970: start + 2 * 86_400))
    #expect(message?.contains(next) == true, "\(message ?? "")")
    _ = try await store.setExpiry(query(2))
    #expect(try await rows(path, "SELECT ttl_days FROM cache") == [[.integer(2)]])
  }

  @Test func `Lengths that are unusual in every unit cause a doubt`() async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl", .milliseconds, ["86400000", "1000", "500"], folder)
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    #expect(expiry.confidence == .likely)
    #expect(!expiry.doubts.isEmpty)
  }

  @Test func `A lifetime column is not preferred to an expiry column`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expires_hours INTEGER, expires_at INTEGER);
      INSERT INTO cache VALUES ('a', 'v', 2, 1790000000);
      """)
    #expect(try await Stores.open(path).collections.first?.expiry?.column == "expires_at")
  }

  @Test func `A near expiry is also exact in fractional days`() async throws {
    let folder = try TestFolder()
    let path = try await Self.path("ttl_days REAL", .seconds, ["1.5"], folder)
    let store = try await Self.store(path, folder)
    let end = Date(timeIntervalSince1970: 1_790_000_030)
    _ = try await store.setExpiry(ExpiryChange(.text("0"), expires: end))
    let entry = try await store.source.get(EntryQuery(.text("0"))).get()
    #expect(entry.expires.map { abs($0.timeIntervalSince(end)) < 0.1 } == true)
  }

  @Test func `A lifetime without a start is not taken for a date`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT, ttl INTEGER);"
        + "INSERT INTO kv VALUES ('a', 'v', 604800000);")
    #expect(try await Stores.open(path).collections.first?.expiry == nil)
  }

  @Test(arguments: [
    ("expires TEXT", "'2026-09-21 14:13:20'", 1), ("expires TEXT", "'2026-09-21T14:13:20Z'", 0),
    ("expires_utc TEXT", "'2026-09-21 14:13:20'", 0),
    ("expires TEXT", "'2026-09-21T14:13:20Z'), ('b', 'v', '2026-09-21T14:13:20'", 1),
  ])
  func `A missing time zone is assumed to be UTC and reported`(
    _ column: String, _ value: String, _ doubts: Int
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, \(column));"
        + "INSERT INTO cache VALUES ('a', 'v', \(value));")
    let expiry = try #require(try await Stores.open(path).collections.first?.expiry)
    #expect(expiry.doubts.count == doubts)
    #expect(expiry.confidence == (doubts == 0 ? .certain : .likely))
    #expect(expiry.doubts.allSatisfy { $0 == "expires has no time zone and is read as UTC" })
  }
}

extension SQLiteValue {
  fileprivate var wholeNumber: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
