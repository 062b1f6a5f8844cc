package import Foundation
import Harmony
package import LarderModel

extension EntryFilter {
  /// A clause saying that an ordered comparison uses text; nil if none does.
  package var textComparison: String? {
    let unordered = columns.first { condition in
      condition.comparison.isOfOrder && EntryKey.comparable(number: condition.operand) == nil
        && ComparedTime.date(typed: condition.operand, at: Date()) == nil
    }
    return unordered.map { Messages.comparedAsText($0.operand) }
  }
}

/// The times in a comparison, such as `expires_at<1d`.
package enum ComparedTime {
  /// Returns the date that typed text denotes: a date, or a duration after or before now, such as
  /// `1d`, `-2h` or `yesterday`; nil for other text and for plain numbers.
  package static func date(typed text: String, at now: Date) -> Date? {
    guard Double(text) == nil else { return nil }
    switch text.lowercased() {
    case "yesterday": return now.addingTimeInterval(-86_400)
    case "today": return ExpiryText.date(String(Timestamp.text(of: now).prefix(10)))
    default: break
    }
    if text.hasPrefix("-"), let duration = Duration(words: String(text.dropFirst())) {
      return now.addingTimeInterval(-duration.inSeconds)
    }
    return ExpiryText(text)?.date(from: now, after: now)
  }

  /// Returns the date that a stored value is or most likely denotes: a date, a date as text, or a
  /// number as in ``Epoch``.
  package static func date(of value: StoredValue) -> Date? {
    switch value {
    case .date(let date): date
    case .integer(let number): Epoch.date(of: number)
    case .real(let number): Epoch.date(of: number)
    case .number(let digits): Double(digits).flatMap { Epoch.date(of: $0) }
    case .text(let text): date(of: text)
    default: nil
    }
  }

  private static func date(of text: String) -> Date? {
    // A date has at least the form 2026-01-31.
    guard 10...40 ~= text.utf8.count, text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else {
      return nil
    }
    if let number = Int64(text) { return Epoch.date(of: number) }
    return ExpiryText.date(text) ?? Double(text).flatMap { Epoch.date(of: $0) }
  }
}
