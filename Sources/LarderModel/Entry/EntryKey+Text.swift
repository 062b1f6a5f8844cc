extension EntryKey {
  /// The bytes of a text key, which need not be valid UTF-8; nil for other keys.
  package var textBytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .malformedText(let bytes): bytes
    default: nil
    }
  }

  /// Whether the key's text starts with the given bytes; other keys are compared by their notation.
  package func hasPrefix(_ prefix: String) -> Bool {
    if prefix.isEmpty { return true }
    switch self {
    case .text(let text): return text.utf8.starts(with: prefix.utf8)
    case .malformedText(let bytes): return bytes.starts(with: prefix.utf8)
    default: return notation(.typed).utf8.starts(with: prefix.utf8)
    }
  }

  /// Whether the key is that of a folder listed as an entry, which ends in a slash.
  package var isOfFolder: Bool {
    textBytes?.last == UInt8(ascii: "/")
  }

  /// The key as it is named in a sentence.
  package var spoken: String {
    let text = shown(.typed)
    // An empty key would be invisible.
    if text.isEmpty { return "\"\"" }
    return text.utf8.count <= 80 ? text : String(text.prefix(60)) + "…"
  }
}
