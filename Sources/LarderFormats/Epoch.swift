import LarderModel
import Foundation

/// Detects numbers that are likely to be timestamps.
enum Epoch {
  /// The plausible range of timestamps, 1990 to 2100, in seconds since 1970.
  private static let seconds: Range<Int64> = 631_152_000..<4_102_444_800
  /// The smallest integer that is taken for a timestamp; as seconds it is September 2001.
  private static let minimumWhole: Int64 = 1_000_000_000
  /// The seconds from 1970 to 2001, the reference date of Apple's systems.
  private static let reference: Int64 = 978_307_200
  /// Seconds since 2001, from 2009 up to where they could be seconds since 1970.
  private static let sinceReference = 252_460_800.0..<978_307_200.0

  /// The supported timestamps: units per second, seconds from the epoch to 1970, and a note on the
  /// epoch.
  ///
  /// The plausible ranges do not overlap.
  private static let ways: [(scale: Int64, epoch: Int64, note: String)] = [
    (1, 0, ""), (1_000, 0, ""), (1_000_000, 0, ""), (1_000_000_000, 0, ""),
    (1_000_000, 11_644_473_600, " since 1601"), (10_000_000, 11_644_473_600, " since 1601"),
    (10_000_000, 62_135_596_800, " since year 1"),
  ]

  /// Returns the date of an integer timestamp, or nil if it is unlikely to be one.
  ///
  /// Timestamps are in seconds, milliseconds, microseconds or nanoseconds since 1970, in
  /// microseconds or units of 100 ns since 1601, or in units of 100 ns since the year 1.
  static func text(of number: Int64) -> String? {
    guard let (whole, scale, note) = reading(of: number) else { return nil }
    let date = Date(timeIntervalSince1970: Double(whole))
    guard scale > 1, case let rest = number % scale, rest > 0 else {
      return Timestamp.text(of: date) + note
    }
    // The digits come from the number because a date would round them.
    let digits = String(scale + rest).dropFirst()
    return Timestamp.text(of: date).dropLast() + "." + digits + "Z" + note
  }

  /// Returns the whole seconds since 1970 of an integer timestamp, its units per second and a note
  /// on its epoch, or nil if it is unlikely to be one.
  private static func reading(of number: Int64) -> (whole: Int64, scale: Int64, note: String)? {
    ways.lazy.map { (number / $0.scale - $0.epoch, $0.scale, $0.note) }
      .first { seconds.contains($0.0) && $0.0 >= minimumWhole }
  }

  /// Returns the date of an integer timestamp, including whole seconds since 2001, or nil if it is
  /// unlikely to be one.
  static func date(of number: Int64) -> Date? {
    guard let (whole, scale, _) = reading(of: number) else {
      return sinceReference.contains(Double(number))
        ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
    }
    return Date(timeIntervalSince1970: Double(whole) + Double(number % scale) / Double(scale))
  }

  /// Returns the date of a real number of seconds as ``text(of:)`` does, or nil if it is unlikely to be
  /// one.
  static func date(of number: Double) -> Date? {
    guard number.isFinite else { return nil }
    if let whole = Int64(exactly: number) { return date(of: whole) }
    if sinceReference.contains(number) { return Date(timeIntervalSinceReferenceDate: number) }
    return number >= Double(minimumWhole) && number < Double(seconds.upperBound)
      ? Date(timeIntervalSince1970: number) : nil
  }

  /// Returns the date of an integer, including whole seconds since 2001, which are marked as
  /// uncertain.
  ///
  /// A database can store such a real without its fraction, but sizes of hundreds of megabytes are
  /// in the same range.
  static func likelyText(of number: Int64) -> String? {
    if let text = text(of: number) { return text }
    guard sinceReference.contains(Double(number)) else { return nil }
    return text(ofSeconds: Double(number), since: 0) + " if since 2001"
  }

  /// Returns the date of a real number of seconds since 1970, or since 2001 as on Apple's systems,
  /// or nil if neither is likely.
  static func text(of number: Double) -> String? {
    guard number.isFinite else { return nil }
    if sinceReference.contains(number) {
      return text(ofSeconds: number, since: 0) + " since 2001"
    }
    guard number < Double(seconds.upperBound) else {
      return Int64(exactly: number).flatMap { text(of: $0) }
    }
    return number >= Double(minimumWhole) ? text(ofSeconds: number, since: reference) : nil
  }

  private static func text(ofSeconds number: Double, since epoch: Int64) -> String {
    Timestamp.text(of: Timestamp.date(number, since: epoch))
  }
}
