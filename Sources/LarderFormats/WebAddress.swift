/// Finds web addresses in text.
enum WebAddress {
  /// An address and its location.
  struct Place: Equatable {
    /// The range of the address in bytes.
    var range: Range<Int>
    /// The address.
    var text: String
  }

  /// The maximum length of an address in bytes; terminals do not accept longer ones.
  static let maximum = 2_083

  private static let schemes = [Array("http://".utf8), Array("https://".utf8)]

  /// Returns the addresses that overlap a range, from left to right.
  ///
  /// The search starts up to `maximum` bytes before the range.
  static func places(
    in bytes: UnsafeBufferPointer<UInt8>, touching range: Range<Int>
  ) -> [Place] {
    var found: [Place] = []
    var place = max(0, range.lowerBound - maximum)
    let end = min(bytes.count, range.upperBound)
    while place < end {
      guard bytes[place] == UInt8(ascii: "h"), let candidate = Candidate(in: bytes, at: place)
      else {
        place += 1
        continue
      }
      if let whole = candidate.range, whole.upperBound > range.lowerBound {
        found.append(Place(range: whole, text: String(lossy: bytes[whole])))
      }
      // An address that is too long is skipped entirely, so that no address is found inside it.
      place = candidate.end
      guard candidate.range == nil else { continue }
      while place < end, !endsAddress(bytes, at: place) { place += 1 }
    }
    return found
  }

  /// Text that starts like an address.
  private struct Candidate {
    /// The range of the address, or nil if it is invalid or incomplete.
    let range: Range<Int>?
    /// The end of the examined bytes.
    let end: Int

    init?(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
      let rest = bytes[start...].prefix(maximum + 1)
      guard let scheme = schemes.first(where: rest.starts(with:)),
        start == 0 || !WebAddress.isWord(bytes[start - 1])
      else { return nil }
      let first = start + scheme.count
      var end = first
      // The end of the last byte that can end an address.
      var last = first
      var open: [UInt8: Int] = [:]
      while end < rest.endIndex, !WebAddress.endsAddress(bytes, at: end) {
        let byte = bytes[end]
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["): open[byte, default: 0] += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
          let opening = byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "[")
          guard let count = open[opening], count > 0 else {
            self.init(first < last ? start..<last : nil, end: end)
            return
          }
          open[opening] = count - 1
        default: break
        }
        end += 1
        if !WebAddress.endsSentence(byte) { last = end }
      }
      // An address truncated with an ellipsis, even inside quotes, would lead elsewhere.
      let behind = bytes[end...].first == UInt8(ascii: "\"") ? end + 1 : end
      let isCut = bytes[behind...].starts(with: [0xE2, 0x80, 0xA6])
      let isWhole = !isCut && end - start <= maximum && first < last
      self.init(isWhole ? start..<last : nil, end: max(end, start + 1))
    }

    private init(_ range: Range<Int>?, end: Int) {
      self.range = range
      self.end = end
    }
  }

  /// Whether a byte belongs to a letter or digit; non-ASCII bytes count as letters.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  /// Whether the character at an offset ends an address: white space, a quote, a bracket that must
  /// be escaped in addresses, a comma before another address, or punctuation of other scripts.
  private static func endsAddress(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    switch bytes[place] {
    case ...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    case UInt8(ascii: ","), UInt8(ascii: ";"):
      bytes[(place + 1)...].starts(with: "http".utf8)
    case 0xC2: bytes[place...].starts(with: [0xC2, 0xA0])
    // Joiners and combining marks continue the letter before them.
    case 0xE2: bytes[place...].starts(with: [0xE2, 0x80]) && !isJoiner(bytes, place, 0x8C...0x8D)
    case 0xE3: bytes[place...].starts(with: [0xE3, 0x80]) && !isJoiner(bytes, place, 0xAA...0xAF)
    default: false
    }
  }

  private static func isJoiner(
    _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ joiners: ClosedRange<UInt8>
  ) -> Bool {
    bytes[place...].dropFirst(2).first.map(joiners.contains) ?? false
  }

  /// Whether a byte at the end of an address is likely punctuation of the surrounding sentence.
  private static func endsSentence(_ byte: UInt8) -> Bool {
    ".,;:!?*".utf8.contains(byte)
  }
}

extension ValueLine {
  /// Returns the line with its web addresses split into parts that link to them.
  ///
  /// - Parameter maximum: The number of bytes of the line to search.
  /// - Returns: The line, unchanged if it already has links.
  func linkingAddresses(inFirst maximum: Int = .max) -> ValueLine {
    guard parts.allSatisfy({ $0.link == nil }) else { return self }
    var text = self.text
    var places = text.withUTF8 { bytes in
      WebAddress.places(in: bytes, touching: 0..<min(bytes.count, maximum))
    }[...]
    guard !places.isEmpty else { return self }
    var line = self
    line.parts = []
    var place = 0
    for part in parts {
      var bytes = Array(part.text.utf8)[...]
      while !bytes.isEmpty {
        while let first = places.first, first.range.upperBound <= place { places.removeFirst() }
        let next = places.first
        let isLink = next.map { $0.range.contains(place) } ?? false
        let end = isLink ? next?.range.upperBound : next?.range.lowerBound
        let count = min(bytes.count, end.map { $0 - place } ?? .max)
        // Member names are labels and are not linked.
        let link = isLink && part.role != .name ? next?.text : nil
        line.append(
          Part(String(lossy: bytes.prefix(count)), part.role, mark: part.mark, link: link))
        bytes = bytes.dropFirst(count)
        place += count
      }
    }
    return line
  }

  /// Appends a part, merging it with the last one if they differ only in their text.
  private mutating func append(_ part: Part) {
    guard let last = parts.indices.last, parts[last].role == part.role,
      parts[last].mark == part.mark, parts[last].link == part.link
    else { return parts.append(part) }
    parts[last].text += part.text
  }
}
