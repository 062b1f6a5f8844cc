/// What a terminal reports.
public enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted as a whole; its lines end with `\n`, and nothing else in it is changed.
  case paste(String)
  /// The mouse was used.
  case mouse(MouseEvent)
  /// The terminal said what its background is, which may be never.
  case background(RGB)
  /// The terminal has another size; draw everything again.
  case resized(Size)
  /// The terminal is gone or the system asks the program to end: save, stop and leave.
  ///
  /// Comes once, and no other event comes after it.
  case closed(CloseReason)

  /// Why a program has to end.
  public enum CloseReason: Hashable, Sendable {
    /// The terminal went away.
    case hangUp
    /// Another process sent this signal, such as SIGTERM.
    case signal(Int32)
  }
}
