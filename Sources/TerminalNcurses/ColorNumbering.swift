/// The scheme by which ncurses numbers colors.
enum ColorNumbering {
  /// As indices into the terminal's palette.
  case table
  /// As 24-bit RGB values, except the first eight palette colors.
  case amounts
  /// As indices into the 256-color palette, or flagged RGB values: see
  /// ``TerminfoEntry/directFlag``.
  case tableAndAmounts
}
