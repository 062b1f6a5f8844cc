import Foundation

extension [UInt8] {
  /// Whether a text occurs in these bytes.
  func holds(_ text: String) -> Bool {
    withUnsafeBytes { ByteSearch(Array(text.utf8), ignoringCase: false).occurs(in: $0) }
  }
}

/// Finds bytes in bytes, with ASCII letters of either case if asked.
struct ByteSearch {
  private let needle: [UInt8]
  private let ignoresCase: Bool

  /// Prepares to look for `needle`, which has to be in lower case where case does not matter.
  init(_ needle: [UInt8], ignoringCase: Bool) {
    self.needle = ignoringCase ? needle.map(Self.lowercase) : needle
    // Without letters there is no case, and the system's own search will do.
    ignoresCase = ignoringCase && self.needle.contains { $0 &- 0x61 < 26 }
  }

  /// Whether only the very same bytes are found.
  var isExact: Bool { !ignoresCase }

  /// The needle as text.
  var text: String { String(decoding: needle, as: UTF8.self) }

  /// The lower case of an ASCII capital; other bytes stay.
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Where in a text the needle has to be.
  enum Place {
    case anywhere, atStart, atEnd, everywhere
  }

  /// Whether the needle occurs at a place.
  func occurs(in hay: UnsafeRawBufferPointer, _ place: Place) -> Bool {
    if place == .anywhere { return occurs(in: hay) }
    let spare = hay.count - needle.count
    guard spare >= 0, place != .everywhere || spare == 0 else { return false }
    let part = UnsafeRawBufferPointer(
      rebasing: place == .atEnd ? hay[spare...] : hay[..<needle.count])
    return occurs(in: part)
  }

  /// Whether the needle occurs; an empty one always does.
  func occurs(in hay: UnsafeRawBufferPointer) -> Bool {
    needle.withUnsafeBytes { needle in
      guard let first = needle.first else { return true }
      guard hay.count >= needle.count else { return false }
      guard ignoresCase else {
        return Self.holds(hay, needle, first: first)
      }
      let other = Self.uppercase(first)
      let last = hay.count - needle.count
      var start = 0
      while start <= last {
        let byte = hay[start]
        if byte == first || byte == other, matches(needle, hay, at: start) { return true }
        start += 1
      }
      return false
    }
  }

  /// Whether the needle occurs as it is: the system's search for one byte, then a comparison.
  private static func holds(
    _ hay: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer, first: UInt8
  ) -> Bool {
    guard let start = hay.baseAddress, let wanted = needle.baseAddress else { return false }
    var place = start
    let last = start + (hay.count - needle.count)
    while place <= last,
      let found = memchr(place, Int32(first), last - place + 1).map({ UnsafeRawPointer($0) })
    {
      if memcmp(found, wanted, needle.count) == 0 { return true }
      place = found + 1
    }
    return false
  }

  private static func uppercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x61 < 26 ? byte & 0xDF : byte
  }

  private func matches(
    _ needle: UnsafeRawBufferPointer, _ hay: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    var offset = 1
    while offset < needle.count {
      let byte = hay[start + offset]
      guard needle[offset] == Self.lowercase(byte) else { return false }
      offset += 1
    }
    return true
  }
}
