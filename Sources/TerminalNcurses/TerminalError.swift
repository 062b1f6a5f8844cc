/// Why the browser cannot be shown on a terminal.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Code: Hashable, Sendable {
    /// Input or output is a file, a pipe or nothing.
    case notATerminal
    /// `TERM` is unset, unknown here, or names a terminal that cannot place a cursor.
    case unsuitableTerminal
    /// The system refused something that has to work.
    case failed
  }

  /// What kind of fault it is.
  public let code: Code
  /// What is wrong and what to do, in a sentence without a full stop.
  public let message: String

  /// The message.
  public var description: String { message }
}
