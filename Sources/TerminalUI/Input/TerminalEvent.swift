/// An event reported by a terminal.
public enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted; its line ends are `\n`, and it is otherwise unchanged.
  case paste(String)
  /// A mouse event.
  case mouse(MouseEvent)
  /// The terminal reported its background color, which not all terminals do.
  case background(RGB)
  /// The terminal was resized; redraw everything.
  case resized(Size)
  /// The terminal is gone or the system requests termination: save, stop and exit.
  ///
  /// Sent once, as the last event.
  case closed(CloseReason)

  /// The reasons for termination.
  public enum CloseReason: Hashable, Sendable {
    /// The terminal was closed.
    case hangUp
    /// Another process sent this signal, such as SIGTERM.
    case signal(Int32)
  }
}
