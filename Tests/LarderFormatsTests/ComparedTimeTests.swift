import Foundation
import LarderFormats
import LarderModel
import Testing

/// Times in filters and in the cells of a grid.
@Suite struct ComparedTimeTests {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  @Test(
    arguments: [
      ("1d", 86_400), ("-2h", -7_200), ("+30m", 1_800), ("now", 0), ("yesterday", -86_400),
      ("tomorrow", 86_400), ("2026-09-21T14:13:20Z", 0), ("2026-09-21 14:13", -20),
      ("2026-09-21", -51_200), ("today", -51_200),
    ] as [(String, Double)])
  func `Durations and dates are times`(_ text: String, _ seconds: Double) {
    #expect(
      ComparedTime.date(typed: text, at: Self.now) == Self.now.addingTimeInterval(seconds))
  }

  @Test(arguments: ["10", "-3.5", "1e3", "paid", "never", "", "inf", "d"])
  func `Numbers and other words are not times`(_ text: String) {
    #expect(ComparedTime.date(typed: text, at: Self.now) == nil)
  }

  @Test(
    arguments: [
      .integer(1_790_000_000), .integer(1_790_000_000_000), .real(1_790_000_000),
      .real(811_692_800), .integer(811_692_800), .date(now), .text("2026-09-21 14:13:20"),
      .text("2026-09-21T16:13:20+02:00"), .text("1790000000"), .number("1790000000"),
      .integer(13_434_473_600_000_000),
    ] as [StoredValue])
  func `Values of every usual form are times`(_ value: StoredValue) {
    #expect(ComparedTime.date(of: value) == Self.now)
  }

  @Test(
    arguments: [
      .integer(42), .text("1d"), .text("open"), .null, .real(.nan), .bool(true),
    ] as [StoredValue])
  func `Other values are not times`(_ value: StoredValue) {
    #expect(ComparedTime.date(of: value) == nil)
  }

  @Test func `Cells show dates and UUIDs where the name of the column says so`() {
    let number = StoredValue.integer(1_790_000_000)
    for name in ["created_at", "lastUsed", "ZCREATIONDATE", "expires", "Modified Time"] {
      #expect(ColumnMeaning.text(of: number, in: name) == "2026-09-21 14:13:20", "\(name)")
    }
    for name in ["total", "category", "size", "updates"] {
      #expect(ColumnMeaning.text(of: number, in: name) == nil, "\(name)")
    }
    #expect(ColumnMeaning.text(of: .integer(7), in: "created_at") == nil)
    let bytes = StoredValue.data(Array(repeating: 0xAB, count: 16))
    let uuid = "ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB"
    for name in ["owner_id", "ZUUID", "identifier"] {
      #expect(ColumnMeaning.text(of: bytes, in: name) == uuid, "\(name)")
    }
    #expect(ColumnMeaning.text(of: bytes, in: "digest") == nil)
    #expect(ColumnMeaning.text(of: .data([1]), in: "id") == nil)
  }
}
