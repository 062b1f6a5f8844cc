import Foundation
import HarmonySQLite
import HarmonyTesting
import LarderModel
import Testing

@testable import LarderStores

/// Expiries in every unit, written as other programs do, that are recognized and read back.
struct ExpiryUnitTests {
  /// A format for expiries, with its precision.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let unit: ExpiryUnit
    let type: String
    let precision: Double
    let write: @Sendable (Date) -> SQLiteValue

    var testDescription: String { name }
  }

  private static func text(_ date: Date, _ format: String, zone: Int = 0) -> SQLiteValue {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: zone)
    formatter.dateFormat = format
    return .text(formatter.string(from: date))
  }

  static let ways: [Way] = [
    Way(name: "s", unit: .seconds, type: "INTEGER", precision: 1) {
      .integer(Int64($0.timeIntervalSince1970))
    },
    Way(name: "s real", unit: .seconds, type: "REAL", precision: 0.001) {
      .real($0.timeIntervalSince1970)
    },
    Way(name: "s text", unit: .seconds, type: "TEXT", precision: 1) {
      .text(String(Int64($0.timeIntervalSince1970)))
    },
    Way(name: "ms", unit: .milliseconds, type: "BIGINT", precision: 0.001) {
      .integer(Int64($0.timeIntervalSince1970 * 1e3))
    },
    Way(name: "us", unit: .microseconds, type: "INTEGER", precision: 0.000_01) {
      .integer(Int64($0.timeIntervalSince1970 * 1e6))
    },
    Way(name: "ns", unit: .nanoseconds, type: "INTEGER", precision: 0.000_01) {
      .integer(Int64($0.timeIntervalSince1970 * 1e9))
    },
    Way(name: "apple", unit: .apple, type: "TIMESTAMP", precision: 0.001) {
      .real($0.timeIntervalSinceReferenceDate)
    },
    Way(name: "webkit", unit: .webkit, type: "INTEGER", precision: 0.000_01) {
      .integer(Int64(($0.timeIntervalSince1970 + 11_644_473_600) * 1e6))
    },
    Way(name: "filetime", unit: .filetime, type: "INTEGER", precision: 0.000_1) {
      .integer(Int64(($0.timeIntervalSince1970 + 11_644_473_600) * 1e7))
    },
    Way(name: "ticks", unit: .ticks, type: "INTEGER", precision: 0.000_1) {
      .integer(Int64(($0.timeIntervalSince1970 + 62_135_596_800) * 1e7))
    },
    Way(name: "julian", unit: .julian, type: "REAL", precision: 0.001) {
      .real($0.timeIntervalSince1970 / 86_400 + 2_440_587.5)
    },
    Way(name: "SQLite's text", unit: .iso, type: "DATETIME", precision: 1) {
      text($0, "yyyy-MM-dd HH:mm:ss")
    },
    Way(name: "ISO in UTC", unit: .iso, type: "TEXT", precision: 0.001) {
      text($0, "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
    },
    Way(name: "ISO with a zone", unit: .iso, type: "TEXT", precision: 1) {
      text($0, "yyyy-MM-dd'T'HH:mm:ssxxx", zone: -12_600)
    },
    Way(name: "text with a zone without a colon", unit: .iso, type: "TEXT", precision: 1) {
      text($0, "yyyy-MM-dd HH:mm:ssxx", zone: 7_200)
    },
  ]

  private static func dates(_ seed: UInt64, count: Int) -> [Date] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      // The era of expiries in current programs. Before 2008, seconds since 1970 could be Apple's;
      // from 2030 on, Apple's could be seconds since 1970.
      Date(timeIntervalSince1970: Double.random(in: 1.25e9..<1.9e9, using: &generator))
    }
  }

  private static func recognizer(_ type: String) -> ExpiryRecognizer {
    ExpiryRecognizer(
      table: "cache",
      columns: [
        .init(name: "key", type: "TEXT", isKey: true), .init(name: "value", type: "BLOB"),
        .init(name: "expires", type: type),
      ])
  }

  @Test(arguments: ways, 0..<8 as Range<UInt64>)
  func `Every unit is recognized and read back`(_ way: Way, _ seed: UInt64) throws {
    let dates = Self.dates(seed, count: Int(seed) * 20 + 1)
    let rows = dates.map { [way.write($0)] } + [[.null]]
    guard case .found(let expiry) = Self.recognizer(way.type).verdict(rows) else {
      Issue.record("nothing was found")
      return
    }
    #expect(expiry.form.unit == way.unit)
    #expect(expiry.never == .value(.null))
    // A Julian day of this era is precise only to the millisecond.
    let exactness = way.unit == .julian ? 0.001 : 0.000_01
    for date in dates {
      let stored = way.write(date)
      let read = try #require(expiry.date(stored, since: .null))
      #expect(abs(read.timeIntervalSince(date)) <= way.precision)
      // The written value is the same, and another date is written in the same form.
      let other = date.addingTimeInterval(90.5)
      let written = try expiry.value(other, like: stored, since: .null)
      let reread = try #require(expiry.date(written, since: .null))
      #expect(abs(reread.timeIntervalSince(other)) <= way.precision)
      #expect(reread <= other.addingTimeInterval(exactness))
      let again = try #require(
        expiry.date(try expiry.value(read, like: stored, since: .null), since: .null))
      #expect(abs(again.timeIntervalSince(read)) <= exactness)
      #expect(written.isOfType(of: stored))
    }
  }

  @Test(arguments: ways)
  func `No other value changes the unit of a column, and values in other units have no date`(
    _ way: Way
  ) throws {
    let dates = Self.dates(7, count: 3)
    let strangers =
      Self.ways.filter { $0.unit != way.unit && !($0.unit == .seconds && way.unit == .apple) }
      .map { $0.write(dates[0]) }
      + [.null, .integer(-5), .integer(0), .integer(1), .integer(.max), .real(.infinity)]
      + [.integer(253_402_300_799), .integer(8_640_000_000_000_000), .text("soon"), .blob([0])]
      + [.text("0001-01-01 00:00:00"), .text("9999-12-31 23:59:59"), .text("nan"), .real(5e10)]
    for stranger in strangers {
      let rows = [[stranger]] + dates.map { [way.write($0)] }
      guard case .found(let expiry) = Self.recognizer(way.type).verdict(rows) else {
        Issue.record("nothing was found beside \(stranger)")
        continue
      }
      #expect(expiry.form.unit == way.unit && expiry.summary.remedy == nil, "\(stranger)")
      #expect(expiry.date(stranger, since: .null) == nil, "\(stranger)")
      #expect(dates.allSatisfy { expiry.date(way.write($0), since: .null) != nil })
    }
  }

  @Test(arguments: [
    // Seconds since 2001 for a date in 2032 would be in 2001 if counted from 1970.
    (["1000000000"], ExpiryUnit.apple, "--expires-unit apple"),
    (["1790000000", "1790000000000"], .seconds, "--expires-unit s"),
  ])
  func `A column with two possible units is read as the later one and cannot be written`(
    _ values: [String], _ unit: ExpiryUnit, _ remedy: String
  ) throws {
    let rows = values.compactMap { Int64($0) }.map { [SQLiteValue.integer($0)] }
    guard case .found(let expiry) = Self.recognizer("INTEGER").verdict(rows) else {
      Issue.record("nothing was found")
      return
    }
    #expect(expiry.form.unit == unit && expiry.summary.remedy == remedy)
    #expect(throws: StoreError.self) {
      try expiry.value(Date(timeIntervalSince1970: 1_900_000_000), like: .null, since: .null)
    }
  }

  @Test(arguments: ways)
  func `Written dates are read back, and dates out of range are refused`(_ way: Way) throws {
    let rows = Self.dates(3, count: 3).map { [way.write($0)] }
    guard case .found(let expiry) = Self.recognizer(way.type).verdict(rows) else {
      Issue.record("nothing was found")
      return
    }
    let old = rows[0][0]
    for seconds in [1, 946_684_799, 10_413_792_000, 253_402_300_799, 1e15, 1e300] as [Double] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(throws: StoreError.self, "\(seconds)") {
        try expiry.value(date, like: old, since: .null)
      }
    }
    for seconds in stride(from: 946_684_801.0, to: 10_413_791_999, by: 98_765_432) {
      let date = Date(timeIntervalSince1970: seconds)
      guard let written = try? expiry.value(date, like: old, since: .null) else { continue }
      let read = try #require(expiry.date(written, since: .null))
      #expect(abs(read.timeIntervalSince(date)) < 1.001)
      // The unit is also recognized from this value alone.
      guard case .found(let alone) = Self.recognizer(way.type).verdict([[written]]) else {
        Issue.record("\(written) is not recognized")
        continue
      }
      #expect(alone.form.unit == way.unit)
    }
    let near = Date(timeIntervalSince1970: 1_900_000_000)
    _ = try expiry.value(near, like: old, since: .null)
  }

  @Test func `A date beyond the range of nanoseconds is refused and not clamped`() {
    let form = TimestampForm(unit: .nanoseconds, storage: .integer)
    let far = Date(timeIntervalSince1970: 9_223_372_037)
    #expect(form.value(far, like: .null) == nil)
    #expect(
      form.value(far.addingTimeInterval(-1), like: .null) == .integer(9_223_372_036_000_000_000))
  }

  @Test func `Values that mean never have no date`() {
    let form = TimestampForm(unit: .seconds, storage: .integer)
    for value in [
      .null, .integer(0), .integer(-1), .real(0), .text(""), .integer(.max), .blob([1]),
    ]
      as [SQLiteValue]
    {
      #expect(form.date(value) == nil)
    }
    let text = TimestampForm(unit: .iso, storage: .text)
    for value in ["9999-12-31 23:59:59.999999", "2026-01", "20260131", "soon", ""] {
      #expect(text.date(.text(value)) == nil)
    }
  }

  @Test func `A date without a time is its midnight`() throws {
    var form = TimestampForm(unit: .iso, storage: .text)
    let midnight = Date(timeIntervalSince1970: 1_789_948_800)
    #expect(form.date(.text("2026-09-21")) == midnight)
    #expect(
      form.value(midnight.addingTimeInterval(3_600), like: .text("2025-01-31"))
        == .text("2026-09-21"))
    form.zone = ExpiryZone("+02:00")
    #expect(form.date(.text("2026-09-21")) == midnight.addingTimeInterval(-7_200))
    #expect(
      form.value(midnight.addingTimeInterval(-7_200), like: .text("2025-01-31"))
        == .text("2026-09-21"))
  }

  @Test func `Infinite, NaN and huge numbers are not dates`() {
    for unit in ExpiryUnit.allCases {
      let form = TimestampForm(unit: unit, storage: .real)
      for number in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
        #expect(form.date(.real(number)) == nil)
      }
      #expect(form.date(.integer(.min)) == nil)
    }
  }
}

extension SQLiteValue {
  fileprivate func isOfType(of other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.real, .real): true
    case (.text(let text), .text(let other)): text.count == other.count
    default: false
    }
  }
}
