import Foundation

/// A text that may be base64.
///
/// It may use the standard or the URL-safe alphabet, with or without padding, contain line breaks
/// as in mail, and follow the prefix `data:…;base64,`.
package struct Base64Text {
  /// The maximum number of bytes of text to decode.
  static let maximum = 16 << 20
  /// The minimum number of bytes, below which the text is more likely a word.
  private static let least = 8

  private let body: ArraySlice<UInt8>
  /// Whether a `data:` prefix declares the text as base64.
  private let isDeclared: Bool

  /// Creates a candidate from text or bytes, or returns nil if they cannot be base64.
  package init?(_ value: StoredValue) {
    switch value {
    case .text(let text) where text.utf8.count <= Self.maximum:
      guard Self.mayBegin(text.utf8) else { return nil }
      self.init(Array(text.utf8))
    case .data(let bytes) where bytes.count <= Self.maximum:
      guard Self.mayBegin(bytes) else { return nil }
      self.init(bytes)
    default: return nil
    }
  }

  private init?(_ bytes: [UInt8]) {
    var body = bytes[...]
    while let last = body.last, last == 0x0A || last == 0x0D { body = body.dropLast() }
    let start = Self.start(of: body)
    isDeclared = start > 0
    self.body = body.dropFirst(start)
    guard self.body.count >= Self.least else { return nil }
  }

  /// Whether the first bytes could be base64.
  package static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count >= least else { return false }
    let head = bytes.prefix(64)
    return head.allSatisfy(isDigit) || start(of: Array(head)[...]) > 0
  }

  /// Returns the length of the prefix of a `data:` URL, or 0 if there is none.
  private static func start(of bytes: ArraySlice<UInt8>) -> Int {
    let head = bytes.prefix(256)
    guard head.starts(with: "data:".utf8), let comma = head.firstIndex(of: UInt8(ascii: ",")),
      bytes[..<comma].suffix(7).elementsEqual(";base64".utf8)
    else { return 0 }
    return comma - bytes.startIndex + 1
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x2D, 0x5F, 0x3D, 0x0A, 0x0D: true
    default: false
    }
  }

  /// The decoded bytes, or nil if the text is not valid base64.
  package var decoded: [UInt8]? { Self.decode(body) }

  /// Whether the text is clearly base64, rather than a word, number or path, regardless of its
  /// content.
  package var isSure: Bool {
    if isDeclared { return true }
    guard body.count >= 24, body.count(where: { $0 != 0x0A && $0 != 0x0D }) % 4 == 0 else {
      return false
    }
    let kinds: [ClosedRange<UInt8>] = [0x41...0x5A, 0x61...0x7A, 0x30...0x39]
    return kinds.allSatisfy { kind in body.contains(where: kind.contains) }
  }

  /// Whether bytes are human-readable text.
  package static func isReadable(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n" || scalar == "\r" || scalar == "\t"
      // Joined emoji, and letters of some scripts, are text.
      case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
      case .unassigned, .privateUse: false
      default: true
      }
    }
  }

  /// Decodes base64 in either alphabet, or returns nil if it is invalid.
  package static func decode(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count + 3)
    var fillers = 0
    for byte in bytes {
      switch byte {
      case 0x0A, 0x0D: continue
      case UInt8(ascii: "="): fillers += 1
      case _ where fillers > 0: return nil
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      default: digits.append(byte)
      }
    }
    let missing = -digits.count & 3
    guard missing < 3, fillers == 0 || fillers == missing else { return nil }
    digits += repeatElement(UInt8(ascii: "="), count: missing)
    return Data(base64Encoded: Data(digits)).map(Array.init)
  }
}
