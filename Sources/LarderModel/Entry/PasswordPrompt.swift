/// Asks the user for the password of a server.
///
/// All prompts are equal, so that they do not distinguish options.
public struct PasswordPrompt: Sendable, Hashable {
  private let ask: @Sendable (String) -> String?
  /// The password that the user has already entered; nil to ask only if the server requires one.
  package let entered: String?

  /// Creates a prompt.
  ///
  /// - Parameter ask: Returns the password of a server, which may block; nil if there is none.
  public init(_ ask: @escaping @Sendable (_ server: String) -> String?) {
    self.ask = ask
    entered = nil
  }

  /// Creates the answer of a user who was asked before.
  package init(entered password: String) {
    ask = { _ in nil }
    entered = password
  }

  /// Returns the password of a server; nil if the user gave none.
  package func callAsFunction(_ server: String) -> String? { ask(server) }

  /// Returns true.
  public static func == (left: Self, right: Self) -> Bool { true }

  /// Feeds nothing to the hasher.
  public func hash(into hasher: inout Hasher) {}
}
