/// A path as the sentence of an error names it.
///
/// Files may be called anything, and errors are written to terminals and logs: a path with control
/// characters is quoted, with these escaped.
package struct PathName: CustomStringConvertible, Sendable {
  private let path: String

  /// Names a path.
  package init(_ path: String) {
    self.path = path
  }

  /// The path, quoted if need be.
  package var description: String {
    let isPlain = path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return isPlain && !path.isEmpty ? path : path.debugDescription
  }
}
