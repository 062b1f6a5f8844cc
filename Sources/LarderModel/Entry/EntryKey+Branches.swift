extension EntryKey {
  /// Returns the key that represents a prefix in a key tree.
  ///
  /// It is a composite key with a single part, which no entry has.
  public static func branch(_ prefix: String) -> EntryKey { .composite([.text(prefix)]) }

  /// The prefix that the key represents; nil for keys of entries.
  public var branchPrefix: String? {
    guard case .composite(let parts) = self, parts.count == 1, case .text(let prefix)? = parts.first
    else { return nil }
    return prefix
  }

  /// The maximum number of branches around a key.
  ///
  /// Each branch is identified by its full prefix, so a key consisting only of delimiters would
  /// otherwise take quadratic memory.
  public static let maximumDepth = 256

  /// Returns the branches that contain the key, outermost first; for a branch, including itself.
  ///
  /// The prefixes extend beyond the scope, and each ends with a delimiter. Keys that are not text
  /// have no branches, and the search stops at invalid UTF-8 or after ``maximumDepth`` branches.
  ///
  /// - Parameters:
  ///   - delimiter: The separator that ends a branch; if it is empty, there are none.
  ///   - scope: The common prefix of all keys.
  /// - Returns: The prefixes of the branches.
  public func branches(by delimiter: String, below scope: String = "") -> [String] {
    let mark = Array(delimiter.utf8)
    guard !mark.isEmpty, let bytes = textBytes ?? branchPrefix.map({ Array($0.utf8) }),
      bytes.starts(with: scope.utf8)
    else { return [] }
    var branches: [String] = []
    var place = scope.utf8.count
    while branches.count < Self.maximumDepth, place + mark.count <= bytes.count {
      guard bytes[place...].starts(with: mark) else {
        place += 1
        continue
      }
      place += mark.count
      guard let branch = String(validating: bytes[..<place], as: UTF8.self) else { break }
      branches.append(branch)
    }
    return branches
  }

  /// Returns the rest of a text key or of a branch's prefix after the given prefix.
  ///
  /// The result is nil for other keys, and if the rest is not valid UTF-8.
  package func text(behind prefix: String) -> String? {
    let text: String? = if case .text(let text) = self { text } else { branchPrefix }
    guard let text, text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(validating: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
