import Foundation
import HarmonySQLite
import HarmonyTesting
import LarderCore
import Testing

@testable import LarderStores

/// Times in every unit, written as other programs do, that are recognised and read back.
struct ExpiryUnitTests {
  /// A way to write moments, and how exact it is.
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
      // Where programs of today keep times; from 2031 Apple's seconds could be those since 1970.
      Date(timeIntervalSince1970: Double.random(in: 1.1e9..<1.9e9, using: &generator))
    }
  }

  private static func recogniser(_ type: String) -> ExpiryRecogniser {
    ExpiryRecogniser(
      table: "cache",
      columns: [
        .init(name: "key", type: "TEXT", isKey: true), .init(name: "value", type: "BLOB"),
        .init(name: "expires", type: type),
      ])
  }

  @Test(arguments: ways, 0..<8 as Range<UInt64>)
  func everyUnitIsRecognisedAndReadBack(_ way: Way, _ seed: UInt64) throws {
    let dates = Self.dates(seed, count: Int(seed) * 20 + 1)
    let rows = dates.map { [way.write($0)] } + [[.null]]
    guard case .found(let expiry) = Self.recogniser(way.type).verdict(rows) else {
      Issue.record("nothing was found")
      return
    }
    #expect(expiry.form.unit == way.unit)
    #expect(expiry.never == .value(.null))
    // A Julian day of these years has no more digits.
    let exactness = way.unit == .julian ? 0.000_1 : 0.000_01
    for date in dates {
      let stored = way.write(date)
      let read = try #require(expiry.date(stored, since: .null))
      #expect(abs(read.timeIntervalSince(date)) <= way.precision)
      // Written again it is the same, and so is another moment in the form of this one.
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

  @Test func whatMeansNeverHasNoMoment() {
    let form = MomentForm(unit: .seconds, storage: .integer)
    for value in [
      .null, .integer(0), .integer(-1), .real(0), .text(""), .integer(.max), .blob([1]),
    ]
      as [SQLiteValue]
    {
      #expect(form.date(value) == nil)
    }
    let text = MomentForm(unit: .iso, storage: .text)
    for value in ["9999-12-31 23:59:59.999999", "2026-01-31", "soon", ""] {
      #expect(text.date(.text(value)) == nil)
    }
  }

  @Test func aNumberWithoutEndIsNoMoment() {
    for unit in ExpiryUnit.allCases {
      let form = MomentForm(unit: unit, storage: .real)
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
