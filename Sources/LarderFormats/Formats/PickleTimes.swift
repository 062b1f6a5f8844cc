/// The forms in which Python pickles dates and times.
enum PickleTimes {
  /// Returns the text of a date (4 bytes), a time (6) or both (10), or nil for other bytes.
  static func text(of bytes: [UInt8]) -> String? {
    switch bytes.count {
    case 4: date(bytes)
    case 6: time(bytes[...])
    case 10: date(bytes) + "T" + time(bytes.dropFirst(4))
    default: nil
    }
  }

  private static func date(_ bytes: [UInt8]) -> String {
    let year = padded(Int(bytes[0]) << 8 | Int(bytes[1]), to: 4)
    // The highest bit of the month says which of two repeated hours is meant.
    return "\(year)-\(padded(Int(bytes[2] & 0x7F), to: 2))-\(padded(Int(bytes[3]), to: 2))"
  }

  /// Returns the time in six bytes: hour, minute, second and three bytes of microseconds.
  private static func time(_ bytes: ArraySlice<UInt8>) -> String {
    let clock = bytes.prefix(3).enumerated().map { part in
      padded(Int(part.offset == 0 ? part.element & 0x7F : part.element), to: 2)
    }
    return clock.joined(separator: ":")
      + fraction(bytes.dropFirst(3).reduce(0) { $0 << 8 | Int64($1) })
  }

  private static func fraction(_ microseconds: Int64) -> String {
    microseconds == 0 ? "" : "." + padded(Int(microseconds), to: 6)
  }

  /// Returns a duration of days, seconds and microseconds as Python prints it, or nil if it is
  /// invalid.
  static func duration(_ numbers: [Int64]) -> String? {
    guard numbers.count <= 3 else { return nil }
    let (days, seconds, microseconds) = parts(numbers)
    guard 0..<86_400 ~= seconds, 0..<1_000_000 ~= microseconds else { return nil }
    let clock =
      "\(seconds / 3_600):\(padded(Int(seconds / 60 % 60), to: 2)):"
      + padded(Int(seconds % 60), to: 2) + fraction(microseconds)
    return days == 0 ? clock : "\(days) \(days.magnitude == 1 ? "day" : "days"), \(clock)"
  }

  /// Returns the offset of a time zone as `+02:00`, or nil if it is invalid.
  static func zone(_ numbers: [Int64]) -> String? {
    let (days, seconds, _) = parts(numbers)
    guard -1...0 ~= days, 0..<86_400 ~= seconds else { return nil }
    let offset = days * 86_400 + seconds
    let clock = Int(offset.magnitude)
    return (offset < 0 ? "-" : "+") + padded(clock / 3_600, to: 2) + ":"
      + padded(clock / 60 % 60, to: 2)
      + (clock % 60 == 0 ? "" : ":" + padded(clock % 60, to: 2))
  }

  private static func parts(_ numbers: [Int64]) -> (Int64, Int64, Int64) {
    let parts = numbers.prefix(3) + Array(repeating: 0, count: max(0, 3 - numbers.count))
    return (parts[0], parts[1], parts[2])
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
