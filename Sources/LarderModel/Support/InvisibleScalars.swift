import Foundation

/// Finds the scalars of a text that are invisible on screen, or look the same as others.
package struct InvisibleScalars {
  private let text: String
  /// The offsets of these scalars in the text, in ascending order.
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

  /// The text in quotes, with invisible scalars as JSON escapes.
  var quoted: String {
    var rest = offsets[...]
    var result = String.UnicodeScalarView()
    var seen = ""
    func takeSeen() {
      // Quoting each run separately keeps a leading combining mark from merging with the quote.
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

  /// Returns the text with invisible scalars and ASCII control characters as `\u{…}` escapes, in
  /// the same form that screens use for characters that are unsafe in a terminal.
  package static func spelledOut(_ text: String) -> String {
    var rest = InvisibleScalars(of: text).offsets[...]
    var result = String.UnicodeScalarView()
    for (place, scalar) in text.unicodeScalars.enumerated() {
      let isUnseen = place == rest.first
      if isUnseen { rest.removeFirst() }
      if isUnseen || isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the visible form of a text, which is equal for texts that look alike.
  package static func seen(of text: String) -> String {
    if isPlain(text) { return text }
    var seen = String.UnicodeScalarView()
    for character in text {
      var earlier: [Unicode.Scalar] = []
      for scalar in character.unicodeScalars {
        if isControl(scalar) {
          if let picture = picture(of: scalar) { seen.append(picture) }
        } else if scalar.properties.generalCategory == .spaceSeparator || isBlank(scalar) {
          seen.append(" ")
        } else if !isUnseen(scalar, after: earlier[...]) {
          seen.append(scalar)
        }
        earlier.append(scalar)
      }
    }
    return String(seen).precomposedStringWithCanonicalMapping
  }

  /// Whether a text is certain to be completely visible.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F) ~= $0 }
  }

  /// Whether a scalar is an ASCII control character, which is shown as its control picture.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F
  }

  private static func picture(of control: Unicode.Scalar) -> Unicode.Scalar? {
    Unicode.Scalar(control.value == 0x7F ? 0x2421 : 0x2400 + control.value)
  }

  /// Whether a scalar is not a space by its properties, but is drawn blank.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3164, 0xFFA0, 0x115F, 0x1160, 0x2800: true
    default: false
    }
  }

  /// The maximum number of combining marks that a screen shows on a letter.
  private static let maximumMarks = 4

  private static func isUnseen(
    _ scalar: Unicode.Scalar, after earlier: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    let properties = scalar.properties
    if (0x1F3FB...0x1F3FF).contains(scalar.value) {
      // On its own, a skin tone modifier is shown as a patch of color.
      return earlier.contains { $0.properties.isEmojiModifierBase }
    }
    if isBlank(scalar) {
      return true
    }
    if properties.isVariationSelector || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .spaceSeparator: return scalar != " "
    case .nonspacingMark, .enclosingMark: return earlier.count > maximumMarks
    default: return false
    }
  }
}
