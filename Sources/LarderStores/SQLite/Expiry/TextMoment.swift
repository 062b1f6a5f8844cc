import Foundation
import LarderModel

/// A timestamp written as text: a date, usually with a time of day.
struct TextMoment: Equatable {
  /// The layout of the text, for writing other timestamps alike.
  struct Form: Sendable, Equatable {
    /// The separator between the date and the time: `T` or a space.
    var separator: Character = " "
    /// The number of digits in the fraction of the second.
    var digits = 0
    /// The zone after the time, such as `Z` or `+02:00`; empty if none is named.
    var zone = ""
    /// Whether date and time are written without separators: `20260131T120000Z`.
    var isBasic = false
    /// Whether seconds are written.
    var hasSeconds = true
    /// Whether there is a time of day; a date alone means midnight.
    var hasTime = true
    /// The decimal point before the fraction of the second.
    var point: Character = "."
  }

  let date: Date
  let form: Form

  /// Parses a date, alone or with a time to the minute or finer; nil for any other text.
  init?(_ text: String) {
    // Cached text can be large, and no date is longer than this.
    guard (10...48).contains(text.utf8.count) else { return nil }
    var reader = TextMomentReader(text)
    guard let (clock, form) = reader.read(),
      let date = Timestamp.date(from: clock + Self.fullZone(form.zone))
    else { return nil }
    self.date = date
    self.form = form
  }

  /// Returns a zone with its minutes, as `Timestamp` requires; `Z` if it is empty.
  fileprivate static func fullZone(_ zone: String) -> String {
    if zone.isEmpty { return "Z" }
    let hasHoursAlone = zone.count == 3 && (zone.first == "+" || zone.first == "-")
    return hasHoursAlone ? zone + "00" : zone
  }
}

extension TextMoment.Form {
  /// Returns the text for a time, rounded down to the precision of this form.
  func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // A `Date` has no more than six digits; further ones would be noise.
    let scale = pow(10, Double(min(digits, 6)))
    let whole = seconds.rounded(.down)
    var second = whole
    var fraction = ((seconds - whole + MomentForm.exactness) * scale).rounded(.down)
    if fraction >= scale {
      second += 1
      fraction = 0
    }
    let local = Timestamp.text(of: Date(timeIntervalSinceReferenceDate: second + offset))
    var text = String(local.dropLast())
    if !hasTime { return String(text.prefix(10)) }
    if !hasSeconds { text = String(text.dropLast(3)) }
    if isBasic { text = text.filter { $0 != "-" && $0 != ":" } }
    text = text.replacing("T", with: String(separator))
    if digits > 0 {
      let known = String(Int(fraction))
      let shown = min(digits, 6)
      text +=
        String(point) + String(repeating: "0", count: max(0, shown - known.count)) + known
        + String(repeating: "0", count: digits - shown)
    }
    return text + zone
  }

  /// The offset of the zone from UTC in seconds.
  private var offset: Double {
    let zone = TextMoment.fullZone(zone)
    let numbers = zone.filter { $0.isASCII && $0.isNumber }
    guard let sign = zone.first, sign == "+" || sign == "-", numbers.count == 4,
      let number = Int(numbers)
    else { return 0 }
    return Double((number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1))
  }
}

/// A parser for the text of a timestamp.
private struct TextMomentReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Parses the date and the time, without the zone, as `Timestamp` requires them, and their form.
  mutating func read() -> (clock: String, TextMoment.Form)? {
    var form = TextMoment.Form()
    form.isBasic = bytes.count > 4 && bytes[4] != UInt8(ascii: "-")
    guard let year = digits(4), takesMark("-", form), let month = digits(2), takesMark("-", form),
      let day = digits(2)
    else { return nil }
    if place == bytes.count, !form.isBasic {
      form.hasTime = false
      return ("\(year)-\(month)-\(day)T00:00:00", form)
    }
    guard let separator = take(form.isBasic ? "Tt" : "Tt "), let hour = digits(2),
      takesMark(":", form), let minute = digits(2)
    else { return nil }
    form.separator = separator
    form.hasSeconds = form.isBasic ? isAtDigit : take(":") != nil
    var clock = "\(year)-\(month)-\(day)T\(hour):\(minute):"
    guard form.hasSeconds else {
      form.zone = rest
      return (clock + "00", form)
    }
    guard let second = digits(2) else { return nil }
    clock += second
    if let point = take(".,") {
      form.point = point
      let start = place
      while isAtDigit { place += 1 }
      form.digits = place - start
      guard form.digits > 0 else { return nil }
      clock += "." + String(decoding: bytes[start..<place], as: UTF8.self)
    }
    form.zone = rest
    return (clock, form)
  }

  private var isAtDigit: Bool { place < bytes.count && 0x30...0x39 ~= bytes[place] }

  private var rest: String { String(decoding: bytes[place...], as: UTF8.self) }

  private mutating func digits(_ count: Int) -> String? {
    let start = place
    while place < start + count {
      guard isAtDigit else { return nil }
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func take(_ choices: String) -> Character? {
    guard place < bytes.count, choices.utf8.contains(bytes[place]) else { return nil }
    place += 1
    return Character(Unicode.Scalar(bytes[place - 1]))
  }

  /// Consumes a separator, if the form has separators; returns whether it is as expected.
  private mutating func takesMark(_ mark: String, _ form: TextMoment.Form) -> Bool {
    form.isBasic || take(mark) != nil
  }
}
