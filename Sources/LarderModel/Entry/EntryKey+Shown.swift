extension EntryKey {
  /// The notation of the key as a screen shows it: keys that differ look different.
  ///
  /// A text is also quoted for what nobody would see of it: blanks at its ends, joiners, variation
  /// selectors, skin tones, blanks that are no space, and letters put together in another way than
  /// the usual one. From what is shown `init(notation:style:)` makes the same key.
  package func shown(_ style: KeyStyle) -> String {
    switch self {
    case .text(let text): Self.quotedIfUnseen(text) ?? notation(style)
    case .composite(let parts):
      "(" + parts.map { $0.shownAsPart }.joined(separator: ",") + ")"
    default: notation(style)
    }
  }

  private var shownAsPart: String {
    switch self {
    case .text(let text): Self.quotedIfUnseen(text) ?? notation(.typed, isPart: true)
    case .composite: shown(.typed)
    default: notation(.typed, isPart: true)
    }
  }

  /// A text, or a part of one, in quotes where not all of it would be seen; nil where it would.
  package static func quotedIfUnseen(_ text: String) -> String? {
    if text.utf8.withContiguousStorageIfAvailable(isPlain) == true, text.utf8.last != 0x20 {
      return nil
    }
    let unseen = UnseenScalars(of: text)
    let hasBlankEnds = text.first?.isWhitespace == true || text.last?.isWhitespace == true
    guard hasBlankEnds || !unseen.offsets.isEmpty else { return nil }
    return unseen.quoted
  }
}
