import LarderModel

/// A guess from the first bytes of a file whether it is JSON or only starts with a bracket.
package enum JSONStart: Sendable, Equatable {
  /// An object, possibly malformed.
  case object
  /// An array, possibly malformed.
  case array
  /// Something else: a section of an INI file, an OpenStep property list, a template.
  case other
  /// Only whitespace and comments so far.
  case unknown

  /// Examines the start of a file, which may end anywhere.
  package init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE, 0x7B, 0]) || bytes.starts(with: [0xFE, 0xFF, 0, 0x7B]) {
      // UTF-16, which ``JSONDocument`` rejects with a helpful error.
      self = .object
      return
    }
    var scanner = JSONScanner(bytes, isLenient: true)
    guard (try? scanner.skipSpace()) != nil, let first = scanner.next else {
      self = .unknown
      return
    }
    switch first {
    case UInt8(ascii: "{"): self = Self.beginsObject(&scanner) ? .object : .other
    case UInt8(ascii: "["): self = Self.beginsArray(&scanner) ? .array : .other
    default: self = .other
    }
  }

  /// Whether a name and a colon, or the end, follow; `{ a = b; }` is a property list.
  private static func beginsObject(_ scanner: inout JSONScanner) -> Bool {
    scanner.place += 1
    guard (try? scanner.skipSpace()) != nil, let byte = scanner.next else { return true }
    switch byte {
    case UInt8(ascii: "}"): return true
    case UInt8(ascii: "\""):
      guard (try? scanner.skipText()) != nil, (try? scanner.skipSpace()) != nil else { return true }
      return scanner.next == nil
        || scanner.next != UInt8(ascii: "=") && scanner.next != UInt8(ascii: ";")
    default:
      // A name without quotes is a mistake that deserves an error message.
      let quote = byte == UInt8(ascii: "'")
      if quote { scanner.place += 1 }
      let start = scanner.place
      while let byte = scanner.next, byte.isNamePart { scanner.place += 1 }
      guard scanner.place > start else { return false }
      if quote, scanner.next == UInt8(ascii: "'") { scanner.place += 1 }
      guard (try? scanner.skipSpace()) != nil else { return false }
      return scanner.next == UInt8(ascii: ":")
    }
  }

  /// Whether a value follows, and nothing after the end of the array: `[section]` is an INI file.
  private static func beginsArray(_ scanner: inout JSONScanner) -> Bool {
    scanner.place += 1
    guard (try? scanner.skipSpace()) != nil, let byte = scanner.next else { return true }
    let starts = Array("]{[\"-0123456789".utf8)
    let words: [StaticString] = ["true", "false", "null", "NaN", "Infinity", "-Infinity"]
    let place = scanner.place
    let isWord = words.contains { scanner.skip($0) }
    if isWord, let byte = scanner.next, byte.isNamePart { return false }
    scanner.place = place
    guard starts.contains(byte) || isWord else { return false }
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return true }
    if byte != UInt8(ascii: "]") {
      guard (try? scanner.skipValue()) != nil, (try? scanner.skipSpace()) != nil else {
        // Truncated or malformed; a name character here means a section such as [1st].
        return scanner.next.map { !$0.isNamePart } ?? true
      }
      guard scanner.next == UInt8(ascii: "]") else {
        return scanner.next.map { !$0.isNamePart } ?? true
      }
    }
    scanner.place += 1
    return (try? scanner.skipSpace()) == nil || scanner.next == nil
  }
}

extension UInt8 {
  /// Whether the byte can be part of an identifier.
  fileprivate var isNamePart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
