import LarderModel
import Foundation

/// Numbers that most likely count time from a beginning.
enum Epoch {
  /// The years in which the moments of programs lie: 1990 to 2100.
  private static let seconds: Range<Int64> = 631_152_000..<4_102_444_800
  /// Whole numbers below it are taken for numbers: they would be before September 2001.
  private static let leastWhole: Int64 = 1_000_000_000
  /// From 1970 to 2001, where Apple's systems count from.
  private static let reference: Int64 = 978_307_200
  /// Seconds since 2001 from 2009 to where they could be seconds since 1970.
  private static let sinceReference = 252_460_800.0..<978_307_200.0

  /// How many parts of a second numbers count, the seconds from where they start to 1970, and how
  /// that is said.
  ///
  /// No number is likely in two of these ways.
  private static let ways: [(scale: Int64, epoch: Int64, note: String)] = [
    (1, 0, ""), (1_000, 0, ""), (1_000_000, 0, ""), (1_000_000_000, 0, ""),
    (1_000_000, 11_644_473_600, " since 1601"), (10_000_000, 11_644_473_600, " since 1601"),
    (10_000_000, 62_135_596_800, " since year 1"),
  ]

  /// The moment of a whole number of seconds, milliseconds, microseconds or nanoseconds since 1970, of
  /// microseconds or tenths of them since 1601, or of those since the year 1; nil where none is likely.
  static func text(of number: Int64) -> String? {
    for (scale, epoch, note) in ways {
      let whole = number / scale - epoch
      guard seconds.contains(whole), whole >= leastWhole else { continue }
      let date = Date(timeIntervalSince1970: Double(whole))
      guard scale > 1, case let rest = number % scale, rest > 0 else {
        return Timestamp.text(of: date) + note
      }
      // All digits of the number, which a date would round.
      let digits = String(scale + rest).dropFirst()
      return Timestamp.text(of: date).dropLast() + "." + digits + "Z" + note
    }
    return nil
  }

  /// The same, or the moment of a whole number of seconds since 2001, which a database makes of a
  /// real without a fraction; said with care, as sizes of hundreds of megabytes lie there, too.
  static func likelyText(of number: Int64) -> String? {
    if let text = text(of: number) { return text }
    guard sinceReference.contains(Double(number)) else { return nil }
    return text(ofSeconds: Double(number), since: 0) + " if since 2001"
  }

  /// The moment of a number of seconds since 1970, or since 2001 as Apple's systems count; nil where
  /// neither is likely.
  static func text(of number: Double) -> String? {
    guard number.isFinite else { return nil }
    if sinceReference.contains(number) {
      return text(ofSeconds: number, since: 0) + " since 2001"
    }
    guard number < Double(seconds.upperBound) else {
      return Int64(exactly: number).flatMap { text(of: $0) }
    }
    return number >= Double(leastWhole) ? text(ofSeconds: number, since: reference) : nil
  }

  private static func text(ofSeconds number: Double, since epoch: Int64) -> String {
    Timestamp.text(of: Timestamp.date(number, since: epoch))
  }
}
