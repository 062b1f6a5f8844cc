/// The scheme by which ncurses numbers colours.
enum ColorNumbering {
  /// As indices into the terminal's palette.
  case table
  /// As 24-bit RGB values, except the first eight palette colours.
  case amounts
  /// As indices into the 256-colour palette, or flagged RGB values: see
  /// ``TerminfoEntry/directFlag``.
  case tableAndAmounts
}
