import CNcurses

/// The ncurses that is linked.
package enum NcursesVersion {
  /// Its number with the day of its last patch, such as `6.4.20221231`.
  package static var number: String {
    String(cString: curses_version()).replacing("ncurses ", with: "")
  }
}
