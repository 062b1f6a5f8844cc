extension EntryKey {
  /// Whether the text of the key starts with these bytes.
  package func hasPrefix(_ prefix: String) -> Bool {
    if prefix.isEmpty { return true }
    switch self {
    case .text(let text): return text.utf8.starts(with: prefix.utf8)
    case .malformedText(let bytes): return bytes.starts(with: prefix.utf8)
    default: return notation(.typed).utf8.starts(with: prefix.utf8)
    }
  }

  /// The key as a person would name it in a sentence.
  package var spoken: String {
    let text = notation(.typed)
    // Nothing would be seen of it.
    if text.isEmpty { return "\"\"" }
    return text.utf8.count <= 80 ? text : String(text.prefix(60)) + "…"
  }
}
