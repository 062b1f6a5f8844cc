/// Finds bytes in bytes, with ASCII letters of either case if asked.
struct ByteSearch {
  private let needle: [UInt8]
  private let ignoresCase: Bool

  /// Prepares to look for `needle`, which has to be in lower case where case does not matter.
  init(_ needle: [UInt8], ignoringCase: Bool) {
    self.needle = ignoringCase ? needle.map(Self.lowercase) : needle
    ignoresCase = ignoringCase
  }

  /// The lower case of an ASCII capital; other bytes stay.
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Whether the needle occurs; an empty one always does.
  func occurs(in hay: UnsafeRawBufferPointer) -> Bool {
    needle.withUnsafeBytes { needle in
      guard let first = needle.first else { return true }
      guard hay.count >= needle.count else { return false }
      let other = ignoresCase ? Self.uppercase(first) : first
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

  private static func uppercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x61 < 26 ? byte & 0xDF : byte
  }

  private func matches(
    _ needle: UnsafeRawBufferPointer, _ hay: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    var offset = 1
    while offset < needle.count {
      let byte = hay[start + offset]
      guard needle[offset] == (ignoresCase ? Self.lowercase(byte) : byte) else { return false }
      offset += 1
    }
    return true
  }
}
