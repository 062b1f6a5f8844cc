import TestSamples
import Foundation
import LarderModel
import Testing

/// Conversion of dates to text and back.
@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_767_225_599, "2025-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (1_767_225_600.5, "2026-01-01T00:00:00.5Z"), (1_767_225_600.125, "2026-01-01T00:00:00.125Z"),
      (-0.25, "1969-12-31T23:59:59.75Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "+10000-01-01T00:00:00Z"),
      (-62_167_219_201, "-0001-12-31T23:59:59Z"),
    ])
  func momentsAreWrittenInUTC(_ seconds: Double, _ text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(Timestamp.text(of: date) == text)
    #expect(Timestamp.date(from: text) == date)
  }

  @Test func `Every date survives conversion to text and back`() {
    var random = SampleGenerator()
    for exponent in [0.0, 3, 6, 8, 9, 10, 11, 12, 14] {
      for _ in 0..<200 {
        let bound = pow(10, exponent)
        let date = Date(
          timeIntervalSinceReferenceDate: .random(in: -bound...bound, using: &random))
        let text = Timestamp.text(of: date)
        #expect(Self.isReadBack(date, text), "\(text), seed \(random.seed)")
      }
    }
    for seconds: Double in [
      0, -0.0, 0.1, 1e-9, -1e-20, -0.3, .leastNonzeroMagnitude, 0.9999999999999999,
      820_454_400.1234567,
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(Self.isReadBack(date, Timestamp.text(of: date)), "\(seconds)")
    }
  }

  /// Whether a text represents a date to the last bit.
  private static func isReadBack(_ date: Date, _ text: String) -> Bool {
    let time = date.timeIntervalSinceReferenceDate
    guard let read = Timestamp.date(from: text)?.timeIntervalSinceReferenceDate else {
      return false
    }
    return read.bitPattern == time.bitPattern
  }

  @Test(
    arguments: [
      .nan, -.nan, .infinity, -.infinity, 1e300, -1e18, 9e15, 9_007_199_254_740_994, 4e15 + 0.5,
    ] as [Double])
  func momentsThatNoCalendarReachesAreReadBackToo(_ seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let read = Timestamp.date(from: Timestamp.text(of: date))
    let bits = read?.timeIntervalSinceReferenceDate.bitPattern
    #expect(bits == seconds.bitPattern, "\(Timestamp.text(of: date))")
  }

  @Test(
    arguments: [
      ("2026-01-31T23:59:59+02:00", "2026-01-31T21:59:59Z"),
      ("2026-01-31T23:59:59-0130", "2026-02-01T01:29:59Z"),
      ("2026-01-31 23:59:59Z", "2026-01-31T23:59:59Z"),
      ("2026-01-31t23:59:59.250z", "2026-01-31T23:59:59.25Z"),
      ("2026-01-31T23:59:59.123456789Z", "2026-01-31T23:59:59.1234568Z"),
    ])
  func otherSpellingsAreUnderstood(_ text: String, _ written: String) {
    #expect(Timestamp.date(from: text).map(Timestamp.text) == written)
  }

  @Test(
    arguments: [
      "", "yesterday", "2026", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
      "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx",
      "２０２６-01-01T00:00:00Z", "2026-01-01T00:00:00+25:00",
      "-0000000000000000000001-01-01T00:00:00Z",
    ])
  func otherTextsAreNoMoments(_ text: String) {
    #expect(Timestamp.date(from: text) == nil)
  }
}
