/// A fuzzy search for characters in order, with others in between.
///
/// The search ignores case unless the text contains an uppercase letter.
struct FuzzySearch {
  private let wanted: [UInt8]
  private let ignoresCase: Bool
  private let isASCII: Bool

  init(_ text: String) {
    ignoresCase = !text.unicodeScalars.contains(where: \.properties.isUppercase)
    wanted = ignoresCase ? LowerCase.folded(text) : Array(text.utf8)
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether the characters occur in the bytes of a string.
  func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard isASCII else {
      let text = String(decoding: bytes, as: UTF8.self)
      return occurs(in: text)
    }
    var place = 0
    for byte in bytes {
      guard place < wanted.count else { break }
      if (ignoresCase ? ByteSearch.lowercase(byte) : byte) == wanted[place] { place += 1 }
    }
    return place == wanted.count
  }

  // Compare scalars: bytes of different characters must not match as one character.
  private func occurs(in text: String) -> Bool {
    var rest = String(decoding: wanted, as: UTF8.self).unicodeScalars[...]
    let haystack = ignoresCase ? String(decoding: LowerCase.folded(text), as: UTF8.self) : text
    for scalar in haystack.unicodeScalars where scalar == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}

/// Lowercasing with the Unicode mapping of each scalar.
enum LowerCase {
  /// Returns the UTF-8 bytes of a string in lowercase.
  static func folded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(ByteSearch.lowercase(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
      }
    }
    return bytes
  }
}
