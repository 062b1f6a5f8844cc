/// A unit of input from ncurses: a character or a recognized key.
enum InputToken: Hashable {
  /// A character.
  case scalar(Unicode.Scalar)
  /// A recognized key.
  case key(TerminalKey)
  /// The start of a mouse report.
  case mousePrefix
  /// An unknown key.
  case unknownKey
}
