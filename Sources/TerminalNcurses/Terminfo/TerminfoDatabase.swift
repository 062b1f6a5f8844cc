import Glibc

/// The database of compiled terminfo entries.
enum TerminfoDatabase {
  /// The maximum number of bytes read from a file.
  private static let maximum = 1 << 16

  /// Returns the entry of a terminal, or nil if there is no readable one.
  static func entry(named name: String, variables: [String: String]) -> TerminfoEntry? {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")), name != "." else {
      return nil
    }
    let letter = String(Character(Unicode.Scalar(first)))
    for folder in folders(variables) {
      // On case-insensitive file systems, the folders are named by the hexadecimal code of the
      // letter.
      for group in [letter, String(first, radix: 16)] {
        if let bytes = contents(of: "\(folder)/\(group)/\(name)") { return TerminfoEntry(bytes) }
      }
    }
    return nil
  }

  /// Returns the folders that ncurses searches, in order.
  private static func folders(_ variables: [String: String]) -> [String] {
    let own = [variables["TERMINFO"], variables["HOME"].map { $0 + "/.terminfo" }].compactMap { $0 }
    let system = [
      "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
      "/usr/local/share/terminfo",
    ]
    let given = variables["TERMINFO_DIRS"]?.split(separator: ":").map(String.init) ?? []
    return (own + given + system).filter { $0.hasPrefix("/") }
  }

  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Calls a function while ncurses can find an entry that is not in the database.
  ///
  /// ncurses accepts an entry in `TERMINFO` itself if the value starts with `b64:`. The variable is
  /// only set during the call, so that child processes do not inherit it.
  static func with<Value>(_ entry: [UInt8]?, _ work: () -> Value) -> Value {
    guard let entry else { return work() }
    let before = getenv("TERMINFO").map { String(cString: $0) }
    setenv("TERMINFO", "b64:" + ControlSequence.base64(entry), 1)
    defer {
      if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
    }
    return work()
  }
}
