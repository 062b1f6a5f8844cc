extension EntryKey {
  /// The key that stands for all keys with a prefix, where keys are shown as a tree.
  ///
  /// It is a key of several parts of which there is one, as no list of entries has.
  public static func branch(_ prefix: String) -> EntryKey { .composite([.text(prefix)]) }

  /// The prefix that the key stands for; nil for keys of entries.
  public var branchPrefix: String? {
    guard case .composite(let parts) = self, parts.count == 1, case .text(let prefix)? = parts.first
    else { return nil }
    return prefix
  }

  /// How many branches are around a key at most: each is named by all that its keys begin with, and a
  /// key of nothing but delimiters would take memory by its square.
  public static let maximumDepth = 256

  /// The branches that the key is in, outermost first; of a branch, also itself.
  ///
  /// Each ends with a delimiter, and all but those that the scope ends are inside it. Keys that are
  /// no text are in none, nor is what follows bytes that are no UTF-8, or ``maximumDepth`` branches.
  ///
  /// - Parameters:
  ///   - delimiter: What ends a branch; none where it is empty.
  ///   - scope: What all keys begin with.
  /// - Returns: The prefixes that the branches stand for.
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

  /// What of a text, or of the prefix of a branch, follows a prefix; nil for other keys, and for
  /// bytes that are no text.
  package func text(behind prefix: String) -> String? {
    let text: String? = if case .text(let text) = self { text } else { branchPrefix }
    guard let text, text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(validating: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
