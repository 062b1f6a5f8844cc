/// A path as the sentence of an error names it.
///
/// Files may be called anything, and errors are written to terminals and logs: a path with
/// characters that control these, or turn or break the line, is quoted, with those escaped.
package struct PathName: CustomStringConvertible, Sendable {
  private let path: String

  /// Names a path.
  package init(_ path: String) {
    self.path = path
  }

  /// The path, quoted if need be.
  package var description: String {
    path.isEmpty || path.unicodeScalars.contains(where: Self.isControl) ? quoted : path
  }

  /// The path between quotation marks, as any other text that a sentence has to name.
  package var quoted: String {
    // The quoted form of the library leaves those alone that are no ASCII.
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
