/// A path as written in an error message.
///
/// File names may contain any characters, and errors are written to terminals and logs. A path with
/// control characters, or characters that change the direction of text or break lines, is quoted
/// with these escaped.
package struct PathName: CustomStringConvertible, Sendable {
  private let path: String

  /// Creates a printable path.
  package init(_ path: String) {
    self.path = path
  }

  /// The path, quoted if necessary.
  package var description: String {
    path.isEmpty || path.unicodeScalars.contains(where: Self.isControl) ? quoted : path
  }

  /// The path in quotation marks; also usable for other strings in a message.
  package var quoted: String {
    // The debug description does not escape characters outside ASCII.
    path.debugDescription.unicodeScalars.reduce(into: "") { text, scalar in
      if Self.isControl(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
