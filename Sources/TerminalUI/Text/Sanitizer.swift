/// Escapes characters that must not reach a terminal, so that users see them instead of their
/// effects.
///
/// - C0 control characters and DEL become control pictures of one cell: `␛`, `␊`, `␉`, `␡`.
/// - C1 controls, line and paragraph separators, bidirectional controls and other invisible format
///   characters become `\u{202e}`.
/// - Combining marks without a base become `\u{301}`.
/// - Bytes that are not valid UTF-8 become `\xff`.
///
/// Private-use and unassigned characters are not escaped. ``Screen`` sanitizes all text drawn on
/// it, so views need this only for the text itself.
public enum Sanitizer {
  /// Returns the text as the screen shows it.
  public static func display(_ text: some StringProtocol) -> String {
    if CellText.plainCount(text) != nil { return String(text) }
    var result = ""
    for character in text {
      if needsEscape(character) {
        for cell in CellText.cells(of: character) {
          result.unicodeScalars.append(contentsOf: cell.scalars)
        }
      } else {
        result.append(character)
      }
    }
    return result
  }

  /// Whether the text contains nothing that must be escaped.
  public static func isHarmless(_ text: some StringProtocol) -> Bool {
    CellText.plainCount(text) != nil || !text.contains(where: needsEscape)
  }

  /// Decodes bytes as UTF-8, escaping invalid bytes, and sanitizes the result.
  public static func display(bytes: some Sequence<UInt8>) -> String {
    display(decode(bytes))
  }

  /// Decodes bytes as UTF-8, with `\xff` for each invalid byte.
  ///
  /// The result may contain control characters, which the screen escapes.
  public static func decode(_ bytes: some Sequence<UInt8>) -> String {
    var decoder = UTF8DecoderState()
    var text = ""
    for byte in bytes { decoder.feed(byte, into: &text) }
    decoder.finish(into: &text)
    return text
  }

  /// Whether a scalar must be escaped after a base scalar, or without one.
  static func mustEscape(_ scalar: Unicode.Scalar, after base: Unicode.Scalar?) -> Bool {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 }
    if value < 0x300 { return value < 0xA0 || value == 0xAD }
    switch value {
    case 0x200C, 0x200D: return base == nil
    case 0x2028, 0x2029: return true
    case 0xE0020...0xE007F: return base?.value != 0x1F3F4
    default: return value & 0xFFFE == 0xFFFE || scalar.properties.generalCategory == .format
    }
  }

  /// Whether any scalar of a character must be escaped.
  private static func needsEscape(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return false }
    if TextWidth.of(first) == 0 || mustEscape(first, after: nil) { return true }
    return scalars.dropFirst().contains { mustEscape($0, after: first) }
  }

  /// Returns the escape of a scalar: a control picture, or `\u{…}` with its number.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value).map { String($0) } ?? "?"
    case 0x7F: "\u{2421}"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
