package import Foundation

/// Converts dates to text and back: ISO 8601 in UTC, with as many fractional digits as needed.
///
/// Every date is restored exactly. Years outside 0 to 9999 have a sign. A date outside the range of
/// the calendar is written as `@` and the seconds since 1970, and the few dates for which neither
/// form is exact as the seconds since 2001, the reference of `Date`: `@2001-1e-20`.
package enum Timestamp {
  private static let reference = "@2001"
  private static let secondsPerDay = 86_400
  /// The seconds from 1970 to 2001, the reference of `Date`.
  private static let referenceSecond = 978_307_200
  /// The distance from 2001, in seconds, beyond which dates are less precise than a second.
  private static let furthest = 4e15

  package static func text(of date: Date) -> String {
    var buffer = ByteBuffer(capacity: 64)
    append(date, to: &buffer)
    return buffer.text
  }

  /// Appends the text of a date, without allocations for the dates that stores usually hold.
  package static func append(_ date: Date, to buffer: inout ByteBuffer) {
    let time = date.timeIntervalSinceReferenceDate
    let isExact = time.magnitude < furthest && !(-0.5...0 ~= time && time.sign == .minus)
    guard !isExact else { return appendCalendar(time, to: &buffer) }
    var text = ByteBuffer(capacity: 64)
    if time.magnitude < furthest {
      appendCalendar(time, to: &text)
    } else {
      text.append("@\(time + Double(referenceSecond))")
    }
    let isRestored =
      Self.date(from: text.text)?.timeIntervalSinceReferenceDate.bitPattern == time.bitPattern
    buffer.append(
      isRestored
        ? text.text : reference + (time.sign == .minus ? "" : "+") + time.debugDescription)
  }

  private static func appendCalendar(_ time: Double, to buffer: inout ByteBuffer) {
    var whole = time.rounded(.down)
    if time - whole == 1 { whole += 1 }
    let second = Int(whole) + referenceSecond
    let day = second.flooredQuotient(by: secondsPerDay)
    let (year, month, dayOfMonth) = CivilDay.date(ofDay: day)
    let rest = second - day * secondsPerDay
    if !(0...9_999 ~= year) { buffer.append(UInt8(ascii: year < 0 ? "-" : "+")) }
    buffer.append(abs(year), width: abs(year) <= 9_999 ? 4 : String(abs(year)).utf8.count)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(month, width: 2)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(dayOfMonth, width: 2)
    buffer.append(UInt8(ascii: "T"))
    buffer.append(rest / 3_600, width: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(rest / 60 % 60, width: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(rest % 60, width: 2)
    if let fraction = Fraction(time - whole, after: whole) {
      if fraction.digits > 0 {
        buffer.append(UInt8(ascii: "."))
        buffer.append(fraction.number, width: fraction.digits)
      }
    } else {
      buffer.append(digits(of: time - whole, after: whole))
    }
    buffer.append(UInt8(ascii: "Z"))
  }

  /// The shortest fraction of a second of up to nine digits from which a date can be restored.
  private struct Fraction {
    var number = 0
    var digits = 0

    /// Finds the fraction; nil if it has more digits.
    init?(_ fraction: Double, after whole: Double) {
      guard fraction > 0 else { return }
      guard fraction < 1 else { return nil }
      for (digits, scale) in [(3, 1e3), (6, 1e6), (7, 1e7), (8, 1e8), (9, 1e9)] {
        let number = (fraction * scale).rounded()
        guard number < scale, whole + number / scale == whole + fraction else { continue }
        self.number = Int(number)
        self.digits = digits
        while self.number % 10 == 0, self.digits > 0 {
          self.number /= 10
          self.digits -= 1
        }
        return
      }
      return nil
    }
  }

  /// Returns the date as text, rounded down to the second for display.
  package static func secondText(of date: Date) -> String {
    text(of: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  /// Returns the date for a real number of seconds, rounded to its meaningful digits.
  ///
  /// A real number of seconds since 1970 is precise to a microsecond for current dates. `Date`
  /// counts from 2001, has more digits, and would show ones that are not in the number.
  ///
  /// - Parameters:
  ///   - seconds: The number.
  ///   - epoch: The number of seconds from its epoch to 2001.
  ///   - steps: The resolution of the number in steps per second.
  /// - Returns: The date, rounded to the step.
  package static func date(
    _ seconds: Double, since epoch: Int64, steps: Double = 1_000_000
  ) -> Date {
    let count = (seconds * steps).rounded()
    let whole = (count / steps).rounded(.down)
    return Date(
      timeIntervalSinceReferenceDate: whole - Double(epoch) + (count - whole * steps) / steps)
  }

  package static func date(from text: String) -> Date? {
    if text.hasPrefix(reference + "+") || text.hasPrefix(reference + "-") {
      return Double(text.dropFirst(reference.count)).map(Date.init(timeIntervalSinceReferenceDate:))
    }
    if text.hasPrefix("@") {
      return Double(text.dropFirst()).map {
        Date(timeIntervalSinceReferenceDate: $0 - Double(referenceSecond))
      }
    }
    var reader = TimestampReader(text)
    guard let parts = reader.read() else { return nil }
    let day = CivilDay.day(of: (parts.year, parts.month, parts.day))
    let second = day * secondsPerDay + parts.secondOfDay - referenceSecond
    return Date(timeIntervalSinceReferenceDate: Double(second) + parts.fraction)
  }

  /// Returns the shortest fraction of at least twelve digits from which the date can be restored.
  private static func digits(of fraction: Double, after whole: Double) -> String {
    // The last attempt is exact, since no Double between 0 and 1 has more digits.
    for digits in [12, 15, 18, 21, 1_074] {
      let text = decimal(fraction, digits: digits)
      if let read = Double("0" + text), whole + read == whole + fraction {
        return text
      }
    }
    return ""
  }

  /// Returns the digits after the decimal point of a number from 0 to 1, without trailing zeros.
  private static func decimal(_ number: Double, digits: Int) -> String {
    var text = String(format: "%.\(digits)f", number)[...]
    while text.hasSuffix("0") { text = text.dropLast() }
    return String(text.dropFirst())
  }
}

/// Converts between days since 1970 and dates of the proleptic Gregorian calendar.
private enum CivilDay {
  private static let daysPerEra = 146_097
  /// The days from 1 March of the year 0, the start of an era, to 1970.
  private static let epoch = 719_468

  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + epoch
    let era = shifted.flooredQuotient(by: daysPerEra)
    let dayOfEra = shifted - era * daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }

  static func day(of date: (year: Int, month: Int, day: Int)) -> Int {
    let year = date.month <= 2 ? date.year - 1 : date.year
    let era = year.flooredQuotient(by: 400)
    let yearOfEra = year - era * 400
    let marchMonth = date.month > 2 ? date.month - 3 : date.month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + date.day - 1
    return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
  }

  /// Whether the calendar has the date.
  static func contains(_ date: (year: Int, month: Int, day: Int)) -> Bool {
    guard 1...12 ~= date.month, 1...31 ~= date.day else { return false }
    return Self.date(ofDay: day(of: date)) == date
  }
}

/// Parses the components of a timestamp.
private struct TimestampReader {
  struct Parts {
    var year: Int
    var month: Int
    var day: Int
    /// The second of the day in UTC, which can be on the previous or next day.
    var secondOfDay: Int
    var fraction: Double
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func read() -> Parts? {
    let sign = take("+") ? 1 : take("-") ? -1 : nil
    guard let year = number(4...(sign == nil ? 4 : 9)), take("-"), let month = number(2...2),
      take("-"), let day = number(2...2), take("T") || take("t") || take(" "),
      let hour = number(2...2), hour < 24, take(":"), let minute = number(2...2), minute < 60,
      take(":"), let second = number(2...2), second < 60, let fraction = fraction(),
      let offset = offset(), place == bytes.count,
      CivilDay.contains(((sign ?? 1) * year, month, day))
    else { return nil }
    return Parts(
      year: (sign ?? 1) * year, month: month, day: day,
      secondOfDay: hour * 3_600 + minute * 60 + second - offset, fraction: fraction)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count, 0x30...0x39 ~= bytes[place] { place += 1 }
    return bytes[start..<place]
  }

  private mutating func number(_ width: ClosedRange<Int>) -> Int? {
    let start = place
    let digits = digits().prefix(width.upperBound)
    place = start + digits.count
    guard digits.count >= width.lowerBound else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Parses the fraction of a second; it is 0 if there is no decimal point.
  private mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    let digits = digits()
    guard !digits.isEmpty else { return nil }
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Parses the offset from UTC in seconds.
  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    guard let sign = take("+") ? 1 : take("-") ? -1 : nil, let hours = number(2...2) else {
      return nil
    }
    _ = take(":")
    guard hours < 24, let minutes = number(2...2), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

extension Int {
  /// Returns the quotient rounded down, also for negative numbers.
  fileprivate func flooredQuotient(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : (self + 1) / divisor - 1
  }
}

extension ByteBuffer {
  /// Appends a member of a JSON object with a date, preceded by a comma.
  package mutating func append(member name: StaticString, _ date: Date) {
    append(literal: ",\"")
    append(literal: name)
    append(literal: "\":")
    append(quoted: date)
  }

  /// Appends the text of a date in double quotes.
  package mutating func append(quoted date: Date) {
    append(UInt8(ascii: "\""))
    Timestamp.append(date, to: &self)
    append(UInt8(ascii: "\""))
  }

  /// Appends a number that is not negative, with zeros in front.
  fileprivate mutating func append(_ number: Int, width: Int) {
    var scale = 1
    for _ in 1..<max(width, 1) { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
  }
}
