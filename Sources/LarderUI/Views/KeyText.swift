import LarderCore

/// Keys as the list shows them.
enum KeyText {
  /// The greatest number of bytes of a key that are looked at for one row.
  private static let greatest = 2_048

  /// The notation of a key, of which a very long one is only the beginning.
  static func display(_ key: EntryKey, _ style: KeyStyle) -> String {
    switch key {
    case .text(let text) where text.utf8.count > greatest:
      String(lossy: text.utf8.prefix(greatest)) + "…"
    case .bytes(let bytes) where bytes.count > greatest:
      EntryKey.bytes(Array(bytes.prefix(greatest))).notation(style) + "…"
    case .malformedText(let bytes) where bytes.count > greatest:
      EntryKey.malformedText(Array(bytes.prefix(greatest))).notation(style) + "…"
    default: key.notation(style)
    }
  }

  /// Where a filter's text stands in a key, by the rule of ``EntryFilter``.
  static func range(of needle: String, in text: String) -> Range<String.Index>? {
    guard !needle.isEmpty else { return nil }
    let isExact = needle.contains(where: \.isUppercase)
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
