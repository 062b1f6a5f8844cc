/// The reason why a terminal cannot be used.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// The input or output is not a terminal.
    case notATerminal
    /// `TERM` is unset, unknown, or names a terminal without cursor positioning.
    case unsuitableTerminal
    /// An unexpected system error.
    case failed
  }

  /// The kind of error.
  public let code: Code
  /// The problem and its solution, as a sentence without a full stop.
  public let message: String

  /// The message.
  public var description: String { message }
}
