import Foundation

extension EntryKey {
  /// Returns the notation of the key for display, in which different keys look different.
  ///
  /// In addition to the usual rules, the bytes of a UUID have its dashes, and text is quoted if part of it would be invisible: leading or
  /// trailing white space, joiners, variation selectors, skin tones, unusual spaces, and characters
  /// that are not in their usual composition. `init(notation:style:)` parses the result back to the
  /// same key.
  package func shown(_ style: KeyStyle) -> String {
    switch self {
    case .text(let text): Self.quotedIfUnseen(text) ?? notation(style)
    case .bytes(let bytes): Self.uuidNotation(bytes) ?? notation(style)
    case .composite(let parts):
      "(" + parts.map { $0.shownAsPart }.joined(separator: ",") + ")"
    default: notation(style)
    }
  }

  /// Returns the notation of the bytes of a UUID, with its dashes, and nil for other bytes.
  package static func uuidNotation(_ bytes: [UInt8]) -> String? {
    UUID(versionedBytes: bytes).map { "x'\($0.uuidString.lowercased())'" }
  }

  private var shownAsPart: String {
    switch self {
    case .text(let text): Self.quotedIfUnseen(text) ?? notation(.typed, isPart: true)
    case .composite, .bytes: shown(.typed)
    default: notation(.typed, isPart: true)
    }
  }

  /// Returns the text in quotes if part of it would be invisible, and nil otherwise.
  package static func quotedIfUnseen(_ text: String) -> String? {
    // Most text is printable ASCII.
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), text.utf8.first != 0x20, text.utf8.last != 0x20
    {
      return nil
    }
    let unseen = InvisibleScalars(of: text)
    let hasBlankEnds = text.first?.isWhitespace == true || text.last?.isWhitespace == true
    guard hasBlankEnds || !unseen.offsets.isEmpty else { return nil }
    return unseen.quoted
  }
}
