extension EntryKey {
  /// Returns the key with its prefix replaced.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the key's text, or of its notation if it is not text.
  ///   - replacement: The new prefix.
  ///   - style: The notation of the store's keys.
  /// - Returns: The new key, or nil if this one does not have the prefix.
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
