extension EntryKey {
  /// The key that begins with another text, as it is renamed with all that begin like it.
  ///
  /// - Parameters:
  ///   - prefix: What the text of the key begins with; of keys that are no text, their notation.
  ///   - replacement: What it is to begin with.
  ///   - style: How the store writes its keys.
  /// - Returns: The new key; nil where this one does not begin with the prefix.
  package func replacing(
    prefix: String, with replacement: String, style: KeyStyle
  ) -> EntryKey? {
    func bytes(_ own: some Collection<UInt8>) -> [UInt8]? {
      guard own.starts(with: prefix.utf8) else { return nil }
      return Array(replacement.utf8) + own.dropFirst(prefix.utf8.count)
    }
    switch self {
    case .text(let text): return bytes(text.utf8).map(EntryKey.init(textBytes:))
    case .malformedText(let own): return bytes(own).map(EntryKey.init(textBytes:))
    default:
      return bytes(notation(.typed).utf8).flatMap { String(validating: $0, as: UTF8.self) }
        .map { EntryKey(notation: $0, style: style) }
    }
  }
}
