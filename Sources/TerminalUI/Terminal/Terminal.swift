/// A terminal that shows screens and reports user input.
///
/// Between ``start(_:)`` and ``stop()`` the program controls the terminal; at other times it is in
/// the state in which the program found it.
@MainActor public protocol Terminal: AnyObject {
  /// The current number of columns and rows.
  var size: Size { get }

  /// The range of colors that it can show.
  var colorDepth: ColorDepth { get }

  /// Takes control of the terminal and starts reporting events.
  ///
  /// Events are delivered on the main actor, in order, and never during a call of this protocol.
  /// After ``stop()`` the terminal can be started again, for example after running an editor.
  func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void)

  /// Shows a screen.
  ///
  /// Writes only the differences from the last screen. Does nothing while stopped.
  func present(_ screen: Screen)

  /// Restores the terminal; does nothing if it is not started.
  func stop()

  /// Restores the terminal, stops the process as Ctrl-Z does, and takes control of the terminal
  /// again when the shell continues the process.
  ///
  /// Shows the last screen again before it returns.
  func suspend()

  /// Sends text to the clipboard of the user's machine and returns whether it was sent.
  ///
  /// Terminals may ignore it. Text larger than ``TerminalClipboard/capacity`` is not sent to the
  /// terminal, which would drop it.
  @discardableResult func copy(_ text: String) -> Bool

  /// Removes the text of the last ``copy(_:)`` from the clipboard, unless the clipboard is known to
  /// have changed.
  func forgetCopy()
}

/// The clipboard of a terminal.
public enum TerminalClipboard {
  /// The maximum number of bytes of text: 74,992 Base64 characters in a sequence of 75,000 bytes.
  ///
  /// Terminals, as well as tmux and screen, silently drop longer sequences.
  public static let capacity = 56_244
}
