import Glibc

/// Where compiled entries lie.
enum TerminfoDatabase {
  /// The most that is read of a file.
  private static let maximum = 1 << 16

  /// The entry of a terminal; nil where there is none in a file that can be read.
  static func entry(named name: String, variables: [String: String]) -> TerminfoEntry? {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")), name != "." else {
      return nil
    }
    let letter = String(Character(Unicode.Scalar(first)))
    for folder in folders(variables) {
      // Where file systems do not tell capitals, folders have the number of the letter.
      for group in [letter, String(first, radix: 16)] {
        if let bytes = contents(of: "\(folder)/\(group)/\(name)") { return TerminfoEntry(bytes) }
      }
    }
    return nil
  }

  /// The folders in which ncurses looks, in its order.
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

  /// Does something during which ncurses knows an entry that is in no file.
  ///
  /// ncurses reads an entry from `TERMINFO` itself where that begins with `b64:`. The variable is set
  /// for no longer than that; programs that are started later must not see it.
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
