package import LarderModel

/// A text search inside a value that ignores the case of ASCII letters, unless the search text
/// contains a capital letter or is in quotation marks, which are not searched for.
package struct ValueSearch: Sendable, Equatable {
  /// The search text.
  package let text: String
  /// The bytes of the search text.
  package let needle: [UInt8]
  private let ignoresCase: Bool

  /// Creates a search, or returns nil if the text is empty.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    let pattern = EntryFilter.Pattern(phrase: text)
    ignoresCase = if case .exact = pattern { false } else { !text.contains { $0.isUppercase } }
    needle = Array(pattern.text.utf8)
  }

  private func isSame(_ byte: UInt8, _ wanted: UInt8) -> Bool {
    byte == wanted || (ignoresCase && 0x41...0x5A ~= byte && byte | 0x20 == wanted)
  }

  private func isMatch(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    for offset in 1..<max(1, needle.count)
    where !isSame(bytes[place + offset], needle[offset]) {
      return false
    }
    return true
  }

  /// Returns the first match at or after an offset.
  package func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = needle.first, start >= 0 else { return nil }
    let other = ignoresCase && 0x61...0x7A ~= first ? first & 0xDF : first
    var place = start
    while place + needle.count <= bytes.count {
      let byte = bytes[place]
      if byte == first || byte == other, isMatch(bytes, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// Returns the last match that starts before an offset.
  package func last(in bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int? {
    guard let first = needle.first else { return nil }
    var place = min(end - 1, bytes.count - needle.count)
    while place >= 0 {
      if isSame(bytes[place], first), isMatch(bytes, at: place) { return place }
      place -= 1
    }
    return nil
  }

  /// Returns the next or previous match, wrapping around at the end of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to search.
  ///   - place: The offset at which to start; it is included only in a forward search.
  ///   - isForward: Whether to search forward.
  /// - Returns: The offset of the match and whether the search wrapped around.
  package func find(
    in bytes: [UInt8], from place: Int, isForward: Bool
  ) -> (place: Int, isAround: Bool)? {
    bytes.withUnsafeBufferPointer { bytes in
      if isForward {
        if let found = first(in: bytes, from: place) { return (found, false) }
        return first(in: bytes, from: 0).map { ($0, true) }
      }
      if let found = last(in: bytes, before: place) { return (found, false) }
      return last(in: bytes, before: bytes.count).map { ($0, true) }
    }
  }

  /// Returns the matches that overlap a range.
  package func matches(in bytes: [UInt8], touching range: Range<Int>) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { all in
      let start = max(0, range.lowerBound - needle.count + 1)
      let end = min(all.count, range.upperBound + needle.count - 1)
      guard start < end else { return [] }
      let near = UnsafeBufferPointer(rebasing: all[start..<end])
      var matches: [Range<Int>] = []
      var place = 0
      while let found = first(in: near, from: place) {
        matches.append(start + found..<start + found + needle.count)
        place = found + needle.count
      }
      return matches
    }
  }

  /// Whether a string contains the search text.
  package func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { first(in: $0, from: 0) != nil }
  }

  /// Whether a value without members contains the search text in its text form.
  package func isIn(_ value: StoredValue) -> Bool {
    switch value {
    case .text(let text), .url(let text), .number(let text): isIn(text)
    case .array, .dictionary, .record: false
    case .malformedText(let bytes):
      bytes.withUnsafeBufferPointer { first(in: $0, from: 0) != nil }
    default: isIn(JSONText.encode(value))
    }
  }

  /// Returns the line with all matches marked.
  package func marking(_ line: ValueLine) -> ValueLine {
    let bytes = Array(line.text.utf8)
    let matches = matches(in: bytes, touching: 0..<bytes.count)
    guard !matches.isEmpty else { return line }
    var marked = ValueLine([], field: line.field)
    var start = 0
    for part in line.parts {
      let end = start + part.text.utf8.count
      var place = start
      for match in matches {
        let match = match.clamped(to: start..<end)
        guard !match.isEmpty, part.mark == nil else { continue }
        marked.parts.append(part.piece(place - start..<match.lowerBound - start))
        var found = part.piece(match.lowerBound - start..<match.upperBound - start)
        found.mark = .match
        marked.parts.append(found)
        place = match.upperBound
      }
      marked.parts.append(part.piece(place - start..<end - start))
      start = end
    }
    marked.parts.removeAll { $0.text.isEmpty }
    return marked
  }
}

extension ValueLine.Part {
  /// Returns the part reduced to a range of bytes, in the same role.
  fileprivate func piece(_ range: Range<Int>) -> Self {
    var piece = self
    piece.text = String(
      decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    return piece
  }
}
