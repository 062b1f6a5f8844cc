import Foundation

/// Numbers that most likely count time from a beginning.
enum Epoch {
  /// The years in which the moments of programs lie: 1990 to 2100.
  private static let seconds: Range<Int64> = 631_152_000..<4_102_444_800
  /// Whole numbers below it are taken for numbers: they would be before September 2001.
  private static let leastWhole: Int64 = 1_000_000_000
  /// From 1970 to 2001, where Apple's systems count from.
  private static let reference = 978_307_200.0
  /// Seconds since 2001 from 2009 to where they could be seconds since 1970.
  private static let sinceReference = 252_460_800.0..<978_307_200.0

  /// The moment of a whole number of seconds, or of thousandths, millionths or thousand-millionths
  /// of one, since 1970; nil where that is not likely.
  static func text(of number: Int64) -> String? {
    for scale in [1, 1_000, 1_000_000, 1_000_000_000] as [Int64] {
      let whole = number / scale
      guard seconds.contains(whole), whole >= leastWhole else { continue }
      let date = Date(timeIntervalSince1970: Double(whole))
      guard scale > 1, case let rest = number % scale, rest > 0 else {
        return Timestamp.text(of: date)
      }
      // All digits of the number, which a date would round.
      let digits = String(scale + rest).dropFirst()
      return Timestamp.text(of: date).dropLast() + "." + digits + "Z"
    }
    return nil
  }

  /// The same, or the moment of a whole number of seconds since 2001, which a database makes of a
  /// real without a fraction; said with care, as sizes of hundreds of megabytes lie there, too.
  static func likelyText(of number: Int64) -> String? {
    if let text = text(of: number) { return text }
    guard sinceReference.contains(Double(number)) else { return nil }
    return text(ofSeconds: Double(number) + reference) + " if since 2001"
  }

  /// The moment of a number of seconds since 1970, or since 2001 as Apple's systems count; nil where
  /// neither is likely.
  static func text(of number: Double) -> String? {
    guard number.isFinite else { return nil }
    if sinceReference.contains(number) {
      return text(ofSeconds: number + reference) + " since 2001"
    }
    guard number < Double(seconds.upperBound) else {
      return Int64(exactly: number).flatMap { text(of: $0) }
    }
    return number >= Double(leastWhole) ? text(ofSeconds: number) : nil
  }

  /// To the thousandth: more digits of such a number would be noise.
  private static func text(ofSeconds number: Double) -> String {
    Timestamp.text(of: Date(timeIntervalSince1970: (number * 1_000).rounded() / 1_000))
  }
}
