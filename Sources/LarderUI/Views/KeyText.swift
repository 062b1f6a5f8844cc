import LarderModel

/// The formatting of keys for display.
enum KeyText {
  /// The maximum number of bytes of a key that are displayed in a row.
  private static let maximum = 2_048

  /// Returns the notation of a key, truncated if it is very long.
  static func display(_ key: EntryKey, _ style: KeyStyle) -> String {
    switch key {
    case .text(let text) where text.utf8.count > maximum: cut(text)
    case .bytes(let bytes) where bytes.count > maximum:
      EntryKey.bytes(Array(bytes.prefix(maximum))).notation(style) + "…"
    case .malformedText(let bytes) where bytes.count > maximum:
      EntryKey.malformedText(Array(bytes.prefix(maximum))).notation(style) + "…"
    default: key.shown(style)
    }
  }

  /// Returns a text, truncated if it is very long.
  static func cut(_ text: String) -> String {
    guard text.utf8.count > maximum else { return text }
    // Do not cut inside a character.
    var end = text.utf8.index(text.startIndex, offsetBy: maximum)
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 { text.utf8.formIndex(before: &end) }
    return String(text[..<end]) + "…"
  }

  /// Returns the ranges of a key that match a term of a filter.
  static func ranges(
    of term: EntryFilter.Term, in text: String
  ) -> [Range<String.Index>] {
    guard !term.isNegated else { return [] }
    let needle = term.pattern.text
    switch term.pattern {
    case .text: return range(of: needle, in: text).map { [$0] } ?? []
    case .exact: return range(of: needle, in: text, isExact: true).map { [$0] } ?? []
    case .prefix:
      return range(of: needle, in: text).flatMap { $0.lowerBound == text.startIndex ? [$0] : nil }
        ?? []
    case .suffix:
      // The end of a key that is cut is not on screen.
      guard
        let start = text.index(text.endIndex, offsetBy: -needle.count, limitedBy: text.startIndex)
      else { return [] }
      let end = String(text[start...])
      return range(of: needle, in: end) == nil ? [] : [start..<text.endIndex]
    case .whole: return [text.startIndex..<text.endIndex]
    case .fuzzy: return letters(of: needle, in: text)
    case .regex: return []
    }
  }

  /// Returns the ranges in a key of the characters of a text, in order.
  private static func letters(of needle: String, in text: String) -> [Range<String.Index>] {
    let ignoresCase = !needle.contains(where: \.isUppercase)
    let places = text.places(ofLettersOf: needle, ignoresCase: ignoresCase) ?? []
    return places.map { $0..<text.index(after: $0) }
  }

  /// Returns the first range of a text in a key, with the case rules of ``EntryFilter``.
  private static func range(
    of needle: String, in text: String, isExact: Bool? = nil
  ) -> Range<String.Index>? {
    guard !needle.isEmpty else { return nil }
    let isExact = isExact ?? EntryFilter.isCaseSensitive(needle)
    var start = text.startIndex
    while start < text.endIndex {
      var place = start
      var wanted = needle.startIndex
      while place < text.endIndex, wanted < needle.endIndex,
        isExact
          ? text[place] == needle[wanted]
          : text[place].lowercased() == needle[wanted].lowercased()
      {
        place = text.index(after: place)
        wanted = needle.index(after: wanted)
      }
      if wanted == needle.endIndex { return start..<place }
      start = text.index(after: start)
    }
    return nil
  }
}
