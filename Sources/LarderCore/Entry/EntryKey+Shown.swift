import Foundation

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

/// Which scalars of a text a screen does not show, or shows as it does others.
struct UnseenScalars {
  private let text: String
  /// Their places among the scalars of the text, in order.
  private(set) var offsets: [Int] = []

  init(of text: String) {
    self.text = text
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return }
    var start = 0
    for character in text {
      let scalars = Array(character.unicodeScalars)
      defer { start += scalars.count }
      if scalars.count == 1, scalars[0].isASCII { continue }
      let isUsual = String(character).precomposedStringWithCanonicalMapping.unicodeScalars
        .elementsEqual(scalars)
      for (place, scalar) in scalars.enumerated()
      where Self.isUnseen(scalar, after: scalars[..<place])
        || !isUsual && (place > 0 || scalars.count == 1)
      {
        offsets.append(start + place)
      }
    }
  }

  /// The text in quotes, with what is not seen as escapes of JSON.
  var quoted: String {
    var rest = offsets[...]
    var result = String.UnicodeScalarView()
    var seen = ""
    func takeSeen() {
      // A mark at the beginning would make one letter with the quote.
      result += JSONText.quote(seen).unicodeScalars.dropFirst().dropLast()
      seen = ""
    }
    for (place, scalar) in text.unicodeScalars.enumerated() {
      guard place == rest.first else {
        seen.unicodeScalars.append(scalar)
        continue
      }
      rest.removeFirst()
      takeSeen()
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        result += "\\u\(zeros)\(digits)".unicodeScalars
      }
    }
    takeSeen()
    return "\"\(String(result))\""
  }

  /// The greatest number of marks on a letter that a screen shows.
  private static let greatestMarks = 4

  private static func isUnseen(
    _ scalar: Unicode.Scalar, after earlier: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    let properties = scalar.properties
    switch scalar.value {
    case 0x1F3FB...0x1F3FF:
      // Alone it is a patch of colour.
      return earlier.contains { $0.properties.isEmojiModifierBase }
    case 0x3164, 0xFFA0, 0x115F, 0x1160, 0x2800: return true
    default: break
    }
    if properties.isVariationSelector || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .spaceSeparator: return scalar != " "
    case .nonspacingMark, .enclosingMark: return earlier.count > greatestMarks
    default: return false
    }
  }
}
