/// What ncurses hands over: a character of the input, or the number of a key it recognised.
enum InputToken: Hashable {
  /// A character.
  case scalar(Unicode.Scalar)
  /// A key that ncurses recognised.
  case key(TerminalKey)
  /// The beginning of a report about the mouse, which ncurses recognised as such.
  case mousePrefix
  /// A key that is unknown here.
  case unknownKey
}
