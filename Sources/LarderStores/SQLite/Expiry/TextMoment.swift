import Foundation
import LarderCore

/// A moment as the text of a date and a time of day, and how that is written.
struct TextMoment: Equatable {
  /// How a moment is written, so that others can be written alike.
  struct Form: Sendable, Equatable {
    /// What stands between the date and the time: `T` or a space.
    var separator: Character = " "
    /// How many digits the fraction of the second has.
    var digits = 0
    /// What follows the time, such as `Z` or `+02:00`; empty for UTC that is not said.
    var zone = ""
  }

  let date: Date
  let form: Form

  /// Reads a text; nil where it is no date with a time, down to the second.
  init?(_ text: String) {
    let characters = Array(text)
    // Longer than any date: what is cached can be large.
    guard characters.count >= 19, characters.count <= 48, ["T", "t", " "].contains(characters[10])
    else { return nil }
    var place = 19
    var digits = 0
    if place < characters.count, characters[place] == "." {
      place += 1
      while place < characters.count, characters[place].isASCII, characters[place].isNumber {
        place += 1
        digits += 1
      }
    }
    let zone = String(characters[place...])
    guard let date = Timestamp.date(from: zone.isEmpty ? text + "Z" : text) else { return nil }
    self.date = date
    form = Form(separator: characters[10], digits: digits, zone: zone)
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
    var text = String(local.dropLast()).replacing("T", with: String(separator))
    if digits > 0 {
      let known = String(Int(fraction))
      let shown = min(digits, 6)
      text +=
        "." + String(repeating: "0", count: max(0, shown - known.count)) + known
        + String(repeating: "0", count: digits - shown)
    }
    return text + zone
  }

  /// How many seconds the clock of the zone is ahead of UTC.
  private var offset: Double {
    let numbers = zone.filter { $0.isASCII && $0.isNumber }
    guard let sign = zone.first, sign == "+" || sign == "-", numbers.count == 4,
      let number = Int(numbers)
    else { return 0 }
    return Double((number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1))
  }
}
