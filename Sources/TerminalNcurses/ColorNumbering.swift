/// How ncurses is told of colours.
enum ColorNumbering {
  /// By their numbers in the terminal's table.
  case table
  /// By their amounts of red, green and blue, but the first eight of the table.
  case amounts
  /// By their numbers in the table of 256, or their amounts: see ``TerminfoEntry/directFlag``.
  case tableAndAmounts
}
