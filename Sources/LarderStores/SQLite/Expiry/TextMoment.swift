import Foundation
import LarderModel

/// A moment as the text of a date, mostly with a time of day, and how that is written.
struct TextMoment: Equatable {
  /// How a moment is written, so that others can be written alike.
  struct Form: Sendable, Equatable {
    /// What stands between the date and the time: `T` or a space.
    var separator: Character = " "
    /// How many digits the fraction of the second has.
    var digits = 0
    /// What follows the time, such as `Z` or `+02:00`; empty for UTC that is not said.
    var zone = ""
    /// Whether nothing stands between the parts of the date, and of the time: `20260131T120000Z`.
    var isBasic = false
    /// Whether the seconds are written.
    var hasSeconds = true
    /// Whether it has a time of day; a date alone is its midnight.
    var hasTime = true
    /// What the fraction of the second follows.
    var point: Character = "."
  }

  let date: Date
  let form: Form

  /// Reads a text; nil where it is neither a date with a time, down to the minute, nor a date alone.
  init?(_ text: String) {
    // Longer than any date: what is cached can be large.
    guard (10...48).contains(text.utf8.count) else { return nil }
    var reader = TextMomentReader(text)
    guard let (clock, form) = reader.read(),
      let date = Timestamp.date(from: clock + Self.fullZone(form.zone))
    else { return nil }
    self.date = date
    self.form = form
  }

  /// A zone with its minutes, as all that is read has them; UTC where there is none.
  fileprivate static func fullZone(_ zone: String) -> String {
    if zone.isEmpty { return "Z" }
    let hasHoursAlone = zone.count == 3 && (zone.first == "+" || zone.first == "-")
    return hasHoursAlone ? zone + "00" : zone
  }
}

extension TextMoment.Form {
  /// A moment in this form; what is finer than the form is left out.
  func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // Beyond the digits that a date has, those of the number would be noise.
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

  /// How many seconds the clock of the zone is ahead of UTC.
  private var offset: Double {
    let zone = TextMoment.fullZone(zone)
    let numbers = zone.filter { $0.isASCII && $0.isNumber }
    guard let sign = zone.first, sign == "+" || sign == "-", numbers.count == 4,
      let number = Int(numbers)
    else { return 0 }
    return Double((number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1))
  }
}

/// Takes the text of a moment apart.
private struct TextMomentReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The date and the time as all moments are read, without the zone, and how they were written.
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

  /// Whether what parts the digits is there, where the form has it.
  private mutating func takesMark(_ mark: String, _ form: TextMoment.Form) -> Bool {
    form.isBasic || take(mark) != nil
  }
}
