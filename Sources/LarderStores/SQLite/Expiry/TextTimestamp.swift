import Foundation
import LarderModel

/// A timestamp written as text: a date, usually with a time of day.
struct TextTimestamp: Equatable {
  /// The layout of the text, for writing other timestamps alike.
  struct Form: Sendable, Equatable {
    /// A text in this form.
    fileprivate(set) var sample = "2000-01-01 00:00:00"
    /// The number of its digits without those of the zone: 8 for a date alone, which means midnight,
    /// 12 without seconds, 14 with seconds, and more with a fraction of the second.
    fileprivate(set) var digits = 14
    /// The zone after the time, such as `Z` or `+02:00`; empty if none is named.
    fileprivate(set) var zone = ""

    var hasTime: Bool { digits > 8 }
  }

  let date: Date
  let form: Form

  /// Parses a date, alone or with a time to the minute or finer; nil for any other text.
  init?(_ text: String) {
    // Cached text can be large, and no date is longer than this.
    guard (10...48).contains(text.utf8.count) else { return nil }
    var clock: [UInt8] = []
    clock.reserveCapacity(64)
    var digits = 0
    // One hexadecimal digit for each separator: the number of digits before it.
    var marks = 0
    let end = text.utf8.firstIndex { byte in
      switch (digits, Unicode.Scalar(byte)) {
      case (_, "0"..."9"):
        switch digits {
        case 4, 6: clock.append(UInt8(ascii: "-"))
        case 8: clock.append(UInt8(ascii: "T"))
        case 10, 12: clock.append(UInt8(ascii: ":"))
        case 14: clock.append(UInt8(ascii: "."))
        default: break
        }
        clock.append(byte)
        digits += 1
      case (4, "-"), (6, "-"), (8, "T"), (8, "t"), (10, ":"), (12, ":"), (14, "."), (14, ","),
        (8, " ") where marks == 0x46:
        marks = marks << 4 | digits
      default: return true
      }
      return false
    }
    let zone = end.map { String(text[$0...]) } ?? ""
    switch (digits, marks) {
    case (8, 0x46) where zone.isEmpty: clock += "T00:00:00".utf8
    case (12, 0x468a), (12, 0x8): clock += ":00".utf8
    case (14, 0x468ac), (14, 0x8), (15..., 0x468ace), (15..., 0x8e): break
    default: return nil
    }
    clock += Self.fullZone(zone).utf8
    guard let date = Timestamp.date(from: String(decoding: clock, as: UTF8.self)) else {
      return nil
    }
    self.date = date
    form = Form(sample: text, digits: digits, zone: zone)
  }

  /// Returns a zone with its minutes, as `Timestamp` requires; `Z` if it is empty.
  fileprivate static func fullZone(_ zone: String) -> String {
    zone.isEmpty ? "Z" : zone.utf8.count == 3 ? zone + "00" : zone
  }
}

extension TextTimestamp.Form {
  /// Returns the text for a time, rounded down to the precision of this form.
  func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // A `Date` has no more than six digits; further ones would be noise.
    let precision = min(max(digits - 14, 0), 6)
    let scale = pow(10, Double(precision))
    var second = seconds.rounded(.down)
    var fraction = ((seconds - second + TimestampForm.exactness) * scale).rounded(.down)
    if fraction >= scale {
      second += 1
      fraction = 0
    }
    let clock = Timestamp.text(of: Date(timeIntervalSinceReferenceDate: second + offset))
    let known = String(Int(fraction))
    let new =
      clock.filter(\.isNumber) + String(repeating: "0", count: max(precision - known.count, 0))
      + known + String(repeating: "0", count: digits)
    var rest = new.prefix(digits)
    return String(sample.map { $0.isNumber ? rest.popFirst() ?? $0 : $0 })
  }

  /// The offset of the zone from UTC in seconds.
  private var offset: Double {
    let zone = TextTimestamp.fullZone(zone)
    guard let number = Int(zone.filter(\.isNumber)) else { return 0 }
    return Double((number / 100 * 3_600 + number % 100 * 60) * (zone.hasPrefix("-") ? -1 : 1))
  }
}
