import Foundation

extension [UInt8] {
  /// Returns whether the bytes contain the UTF-8 bytes of a string.
  package func holds(_ text: String) -> Bool {
    withUnsafeBytes { ByteSearch(Array(text.utf8), ignoringCase: false).occurs(in: $0) }
  }
}

/// A search for bytes in bytes, optionally ignoring the case of ASCII letters.
///
/// The search uses `memchr` to find the byte of the needle that is rarest in typical text, and
/// compares the rest at each match.
package struct ByteSearch {
  private let needle: [UInt8]
  private let ignoresCase: Bool
  /// The index of the rarest byte in the needle.
  private let anchor: Int

  /// Creates a search for a needle.
  package init(_ needle: [UInt8], ignoringCase: Bool) {
    let needle = ignoringCase ? needle.map(Self.lowercase) : needle
    self.needle = needle
    // Without letters, case is irrelevant.
    ignoresCase = ignoringCase && needle.contains(where: Self.isLowercase)
    anchor =
      needle.indices.min { Self.frequency(needle[$0]) < Self.frequency(needle[$1]) } ?? 0
  }

  /// Returns the lowercase form of an ASCII uppercase letter, or the byte unchanged.
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  private static func isLowercase(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

  /// Returns the approximate frequency of a byte in text, with letters as in English.
  private static func frequency(_ byte: UInt8) -> Int {
    if byte == UInt8(ascii: " ") { return 30 }
    if let place = letters.firstIndex(of: lowercase(byte)) { return letters.count - place }
    return 0x30...0x39 ~= byte ? 8 : 4
  }

  private static let letters = Array("etaoinsrhldcumfpgwybvkxjqz".utf8)

  /// The required position of the needle.
  package enum Place {
    case anywhere, atStart, atEnd, everywhere
  }

  /// Returns whether the needle occurs at the required position.
  package func occurs(in haystack: UnsafeRawBufferPointer, _ place: Place) -> Bool {
    if place == .anywhere { return occurs(in: haystack) }
    let spare = haystack.count - needle.count
    guard spare >= 0, place != .everywhere || spare == 0 else { return false }
    let part = UnsafeRawBufferPointer(
      rebasing: place == .atEnd ? haystack[spare...] : haystack[..<needle.count])
    return occurs(in: part)
  }

  /// Returns whether the needle occurs anywhere; an empty needle always does.
  package func occurs(in haystack: UnsafeRawBufferPointer) -> Bool {
    needle.withUnsafeBytes { needle in
      guard !needle.isEmpty else { return true }
      guard haystack.count >= needle.count, let start = haystack.baseAddress else { return false }
      // The range of possible positions of the anchor.
      let first = start + anchor
      let end = first + (haystack.count - needle.count + 1)
      let byte = needle[anchor]
      let capital = ignoresCase && Self.isLowercase(byte) ? byte & 0xDF : nil
      var small = Self.find(byte, from: first, to: end)
      var large = capital.flatMap { Self.find($0, from: first, to: end) }
      while let place = Self.earlier(small, large) {
        if matches(needle, at: place - anchor) { return true }
        if place == small {
          small = Self.find(byte, from: place + 1, to: end)
        } else {
          large = capital.flatMap { Self.find($0, from: place + 1, to: end) }
        }
      }
      return false
    }
  }

  private static func earlier(
    _ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?
  ) -> UnsafeRawPointer? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }

  private static func find(
    _ byte: UInt8, from start: UnsafeRawPointer, to end: UnsafeRawPointer
  ) -> UnsafeRawPointer? {
    guard start < end else { return nil }
    return memchr(start, Int32(byte), end - start).map { UnsafeRawPointer($0) }
  }

  /// Returns whether the needle matches at a position that has enough bytes after it.
  private func matches(_ needle: UnsafeRawBufferPointer, at start: UnsafeRawPointer) -> Bool {
    guard let wanted = needle.baseAddress else { return true }
    guard ignoresCase else { return memcmp(start, wanted, needle.count) == 0 }
    for offset in 0..<needle.count {
      let byte = start.load(fromByteOffset: offset, as: UInt8.self)
      guard needle[offset] == Self.lowercase(byte) else { return false }
    }
    return true
  }
}
