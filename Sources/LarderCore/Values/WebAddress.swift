/// Web addresses inside text.
enum WebAddress {
  /// An address and where it stands.
  struct Place: Equatable {
    /// The bytes that it takes.
    var range: Range<Int>
    /// The address.
    var text: String
  }

  /// The greatest number of bytes of an address; longer ones are none, as no terminal takes them.
  static let greatest = 2_083

  private static let schemes = [Array("http://".utf8), Array("https://".utf8)]

  /// The addresses of which a part lies in a range, looked for in as many bytes around it as one
  /// can have.
  static func places(
    in bytes: UnsafeBufferPointer<UInt8>, touching range: Range<Int>
  ) -> [Place] {
    var found: [Place] = []
    var place = max(0, range.lowerBound - greatest)
    let end = min(bytes.count, range.upperBound)
    while place < end {
      guard bytes[place] == UInt8(ascii: "h"), let whole = address(in: bytes, at: place) else {
        place += 1
        continue
      }
      if whole.upperBound > range.lowerBound {
        found.append(Place(range: whole, text: String(lossy: bytes[whole])))
      }
      place = whole.upperBound
    }
    return found
  }

  /// The address that begins at a place; nil where none does, or where it is not all there.
  private static func address(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Range<Int>? {
    let rest = bytes[start...].prefix(greatest + 1)
    guard let scheme = schemes.first(where: rest.starts(with:)),
      start == 0 || !isWord(bytes[start - 1])
    else { return nil }
    var end = start + scheme.count
    while end < rest.endIndex, !endsAddress(bytes, at: end) { end += 1 }
    // What was cut off where it is shown leads elsewhere.
    if bytes[end...].starts(with: [0xE2, 0x80, 0xA6]) || end - start > greatest { return nil }
    while end > start + scheme.count, isClosing(bytes[end - 1], of: bytes[start..<end]) { end -= 1 }
    return end > start + scheme.count ? start..<end : nil
  }

  /// Whether a byte is a letter or a digit.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  /// Whether no address goes on with the character at a place: a blank, a quote, a bracket that
  /// addresses spell out, or the punctuation of other scripts.
  private static func endsAddress(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    switch bytes[place] {
    case ...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    case 0xC2: bytes[place...].starts(with: [0xC2, 0xA0])
    case 0xE2: bytes[place...].starts(with: [0xE2, 0x80])
    case 0xE3: bytes[place...].starts(with: [0xE3, 0x80])
    default: false
    }
  }

  /// Whether the last byte of what may be an address belongs to the sentence around it.
  private static func isClosing(_ byte: UInt8, of text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"):
      true
    case UInt8(ascii: ")"):
      text.count { $0 == UInt8(ascii: "(") } < text.count { $0 == byte }
    case UInt8(ascii: "]"):
      text.count { $0 == UInt8(ascii: "[") } < text.count { $0 == byte }
    default: false
    }
  }
}

extension ValueLine {
  /// The line with parts of their own for the web addresses in it, which lead there.
  func linkingAddresses() -> ValueLine {
    var text = self.text
    let places = text.withUTF8 { WebAddress.places(in: $0, touching: 0..<$0.count) }
    guard !places.isEmpty else { return self }
    var line = self
    line.parts = []
    var start = 0
    for part in parts {
      var bytes = Array(part.text.utf8)[...]
      while let first = bytes.indices.first {
        let place = start + first
        let link = places.first { $0.range.contains(place) }
        // Up to the end of the address, or to the beginning of the next one.
        let end =
          link?.range.upperBound ?? places.first { $0.range.lowerBound > place }?.range.lowerBound
        let count = min(bytes.count, end.map { $0 - place } ?? .max)
        line.parts.append(
          Part(String(lossy: bytes.prefix(count)), part.role, mark: part.mark, link: link?.text))
        bytes = bytes.dropFirst(count)
      }
      start += part.text.utf8.count
    }
    return line
  }
}
