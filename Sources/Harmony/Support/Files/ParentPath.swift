extension String {
  /// The path of the parent directory: `/a` for `/a/b` and `/a/b/`, `/` for `/a`, and the empty
  /// string for `a`.
  ///
  /// `NSString.deletingLastPathComponent` crashes on a relative path of one character.
  package var parentPath: String {
    let path = trimmingTrailing("/")
    guard let slash = path.lastIndex(of: "/") else { return isAbsolute ? "/" : "" }
    let parent = String(path[..<slash]).trimmingTrailing("/")
    return parent.isEmpty ? "/" : parent
  }

  /// The path of the parent directory for system calls: `.` for `a`.
  package var folderPath: String {
    let parent = parentPath
    return parent.isEmpty ? "." : parent
  }

  private var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }

  private func trimmingTrailing(_ character: Character) -> String {
    var text = self[...]
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
