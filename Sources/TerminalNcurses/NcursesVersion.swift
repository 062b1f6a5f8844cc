import CNcurses

/// The version of the linked ncurses library.
package enum NcursesVersion {
  /// The version number with the date of its last patch, such as `6.4.20221231`.
  package static var number: String {
    String(cString: curses_version()).replacing("ncurses ", with: "")
  }
}
