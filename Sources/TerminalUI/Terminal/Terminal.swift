/// A place that shows screens and reports what the user does.
///
/// Between ``start(_:)`` and ``stop()`` it belongs to the program; otherwise it is as the program
/// found it.
@MainActor public protocol Terminal: AnyObject {
  /// The number of columns and rows now.
  var size: Size { get }

  /// How many colours it can show.
  var colorDepth: ColorDepth { get }

  /// Takes the terminal over and begins to report.
  ///
  /// Events come on the main actor, in order, and never from inside a call of this protocol.
  /// After ``stop()`` a terminal can be started again, as around an editor.
  func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void)

  /// Shows a screen.
  ///
  /// Writes only what differs from the last screen, and nothing at all if nothing does. Does
  /// nothing while stopped.
  func present(_ screen: Screen)

  /// Gives the terminal back as it was; does nothing if it is not started.
  func stop()

  /// Gives the terminal back, stops the process as Ctrl-Z does elsewhere, and returns with the
  /// terminal taken over again when the shell continues the process.
  ///
  /// The last screen is shown again.
  func suspend()

  /// Offers text to the clipboard of the user's own machine and says whether it was sent.
  ///
  /// Terminals may ignore it. Text that terminals would drop, more than
  /// ``TerminalClipboard/capacity``, is not sent to them.
  @discardableResult func copy(_ text: String) -> Bool

  /// Takes the text of the last ``copy(_:)`` off the clipboard, unless it is known that something
  /// else is there by now.
  func forgetCopy()
}

/// The clipboard that a terminal gives access to.
public enum TerminalClipboard {
  /// How many bytes of text terminals take at most: 74,994 characters of base 64 with what is around
  /// them.
  ///
  /// Terminals, tmux and screen among them, drop a longer sequence as a whole and do not say so.
  public static let capacity = 56_244
}
