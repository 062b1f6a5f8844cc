/// An error while loading a theme.
public struct ThemeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// There is no theme with that name.
    case notFound
    /// There is no theme with the inherited name.
    case parentNotFound
    /// The file cannot be read.
    case unreadable
    /// The file is not a valid theme.
    case invalid
    /// The theme inherits itself, directly or indirectly.
    case circular
  }

  /// The kind of error.
  public let code: Code
  /// The path of the file, or the name of an embedded theme.
  public let file: String
  /// The position in the file; nil if the error has none.
  public let position: ThemeFilePosition?
  /// The problem, as part of a sentence.
  public let message: String

  /// The file, the position and the problem: `themes/sea.json:3:14: "}" is missing`.
  public var description: String {
    guard let position else { return "\(file): \(message)" }
    return "\(file):\(position.line):\(position.column): \(message)"
  }
}

/// A position in a theme file, counted from 1.
public struct ThemeFilePosition: Hashable, Sendable {
  /// The line.
  public let line: Int
  /// The column in Unicode scalars.
  public let column: Int
}
