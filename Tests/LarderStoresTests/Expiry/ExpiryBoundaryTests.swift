import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats
import LarderStores
import Testing

/// The state of an entry just before, at and just after its expiry in every unit, and without one.
struct ExpiryBoundaryTests {
  /// A format for expiries: an SQL literal for a number of the smallest increments after ``now``.
  struct Way: Sendable, CustomTestStringConvertible {
    let unit: ExpiryUnit
    let type: String
    /// The number of increments in a second.
    let steps: Int
    let write: @Sendable (Int) -> String

    var testDescription: String { "\(unit.rawValue) \(type)" }
  }

  /// A midnight, which is exact as a Julian day.
  private static let seconds = 1_789_948_800
  private static let now = Date(timeIntervalSince1970: Double(seconds))

  private static func text(_ milliseconds: Int) -> String {
    let date = now.addingTimeInterval(Double(milliseconds) / 1_000)
    return "'\(Timestamp.text(of: date))'"
  }

  static let ways: [Way] = [
    Way(unit: .seconds, type: "INTEGER", steps: 1) { "\(seconds + $0)" },
    Way(unit: .seconds, type: "REAL", steps: 1_000) { "\(Double(seconds) + Double($0) / 1_000)" },
    Way(unit: .seconds, type: "TEXT", steps: 1) { "'\(seconds + $0)'" },
    Way(unit: .milliseconds, type: "INTEGER", steps: 1_000) { "\(seconds * 1_000 + $0)" },
    Way(unit: .microseconds, type: "INTEGER", steps: 1_000_000) { "\(seconds * 1_000_000 + $0)" },
    // A `Date` cannot distinguish consecutive nanoseconds.
    Way(unit: .nanoseconds, type: "INTEGER", steps: 1_000_000) {
      "\((seconds * 1_000_000 + $0) * 1_000)"
    },
    Way(unit: .webkit, type: "INTEGER", steps: 1_000_000) {
      "\((seconds + 11_644_473_600) * 1_000_000 + $0)"
    },
    Way(unit: .filetime, type: "INTEGER", steps: 1_000_000) {
      "\(((seconds + 11_644_473_600) * 1_000_000 + $0) * 10)"
    },
    Way(unit: .ticks, type: "INTEGER", steps: 1_000_000) {
      "\(((seconds + 62_135_596_800) * 1_000_000 + $0) * 10)"
    },
    Way(unit: .apple, type: "REAL", steps: 1_000) {
      "\(Double(seconds - 978_307_200) + Double($0) / 1_000)"
    },
    Way(unit: .apple, type: "INTEGER", steps: 1) { "\(seconds - 978_307_200 + $0)" },
    // A Julian day of this era is precise only to the millisecond.
    Way(unit: .julian, type: "REAL", steps: 1_000) {
      "\(Double(seconds) / 86_400 + 2_440_587.5 + Double($0) / 86_400_000)"
    },
    Way(unit: .iso, type: "TEXT", steps: 1_000) { text($0) },
  ]

  private static let states: [(name: String, state: ExpiryStatus.State)] = [
    ("a minute over", .expired), ("a step over", .expired), ("at", .expired),
    ("a step left", .soon),
    ("a minute left", .soon), ("more left", .fresh),
  ]

  @Test(arguments: ways)
  func `An entry is expired from the exact instant of its expiry on`(way: Way) async throws {
    let folder = try TestFolder()
    let minute = 60 * way.steps
    let steps = [-minute, -1, 0, 1, minute, minute + 1]
    var rows = zip(Self.states, steps).map { "('\($0.name)', 'v', \(way.write($1)))" }
    rows += ["('null', 'v', NULL)"]
    if way.unit != .iso { rows += ["('zero', 'v', 0)", "('negative', 'v', -1)"] }
    let endless = rows.count - Self.states.count
    let path = try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires_at \(way.type));
      INSERT INTO cache VALUES \(rows.joined(separator: ", "));
      """)
    let open = try await Stores.open(path)
    #expect(open.collections.first?.expiry?.unit == way.unit)
    let store = try await open.store(nil)
    for state in ExpiryStatus.State.allCases {
      let listed = try await store.source.getAll(
        EntryPageQuery(expiring: state.span(at: Self.now), limit: 100, detail: .summary)
      ).getCancelling()
      let expected = Self.states.filter { $0.state == state }.map { EntryKey.text($0.name) }
      let keys = Set(listed.map(\.key))
      #expect(
        state == .never ? keys.count == endless : keys == Set(expected),
        "\(state): \(keys.map(\.spoken))")
      for entry in listed { #expect(ExpiryStatus(entry).state(at: Self.now) == state) }
    }
  }

  @Test func `A date at the end of time means never`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT, expires TEXT);
      INSERT INTO cache VALUES ('a', 'v', '9999-12-31 23:59:59'), ('b', 'v', '2026-09-21 00:00:00');
      """)
    let store = try await Stores.open(path).store(nil)
    let listed = try await store.source.getAll(
      EntryPageQuery(
        expiring: ExpiryStatus.State.never.span(at: Self.now), limit: 100, detail: .summary)
    ).getCancelling()
    #expect(listed.map(\.key) == [.text("a")])
  }
}
