/// Why a theme cannot be used.
public struct ThemeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Code: Hashable, Sendable {
    /// There is no theme of that name.
    case notFound
    /// There is no theme of the name that it inherits.
    case parentNotFound
    /// The file cannot be read.
    case unreadable
    /// The file is not what a theme file has to be.
    case invalid
    /// The theme inherits itself, perhaps through others.
    case circular
  }

  /// What kind of fault it is.
  public let code: Code
  /// The file, or the name of a theme that is compiled in.
  public let file: String
  /// Where in the file; nil if it is no matter of a place.
  public let position: ThemeFilePosition?
  /// What is wrong, as part of a sentence.
  public let message: String

  /// The file, the place and what is wrong: `themes/sea.json:3:14: "}" is missing`.
  public var description: String {
    guard let position else { return "\(file): \(message)" }
    return "\(file):\(position.line):\(position.column): \(message)"
  }
}

/// A place in a theme file, counted from 1.
public struct ThemeFilePosition: Hashable, Sendable {
  /// The line.
  public let line: Int
  /// The character of the line, counted in scalars.
  public let column: Int
}
