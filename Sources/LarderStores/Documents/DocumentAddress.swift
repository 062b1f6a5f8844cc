import LarderCore

/// Finds the value that a key means in a document.
///
/// A key is a member's name or number, or the parts of a path. A text that begins with a slash,
/// and is no member's name, is a JSON pointer such as `/users/0/name`.
struct DocumentAddress<Contents: Document> {
  let document: Contents

  /// The path of a value that is there, nil where there is none.
  func path(of key: EntryKey) throws(DocumentError) -> [DocumentStep]? {
    guard let path = key.documentPath else { return nil }
    if try document.type(at: path) != nil { return path }
    guard let pointed = try pointer(key)?.path, try document.type(at: pointed) != nil else {
      return nil
    }
    return pointed
  }

  /// The path that a value is put at.
  ///
  /// A pointer to nothing counts where there is something to put the value into. Else, and with one
  /// part only, it is the name of a new member at the top, as in a file of paths; but not where it
  /// begins like a pointer to what is there, and is probably one with a mistake in it.
  func pathToWrite(_ key: EntryKey) throws(DocumentError) -> [DocumentStep] {
    guard let path = key.documentPath else {
      throw DocumentError("the key is no name, no number and no path of these")
    }
    if try document.type(at: path) != nil { return path }
    guard let pointer = try pointer(key) else {
      try refuseBrokenPointer(key)
      return path
    }
    if try document.type(at: pointer.path) != nil { return pointer.path }
    return pointer.path.count > 1 || pointer.isElement ? pointer.path : path
  }

  private func refuseBrokenPointer(_ key: EntryKey) throws(DocumentError) {
    guard case .text(let text) = key else { return }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.count > 1, let first = parts.first, !first.isEmpty,
      let start = try pointer(.text("/" + first))?.path, try document.type(at: start) != nil
    else { return }
    throw DocumentError(
      "only a part of the path is there; put what is missing first, one level after the other")
  }

  /// The path that a pointer stands for, all of it but perhaps the last step of which is there.
  private func pointer(
    _ key: EntryKey
  ) throws(DocumentError) -> (path: [DocumentStep], isElement: Bool)? {
    guard case .text(let text) = key, text.utf8.first == UInt8(ascii: "/") else { return nil }
    var path: [DocumentStep] = []
    var isElement = false
    for part in text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      let token = String(Substring(part)).replacing("~1", with: "/").replacing("~0", with: "~")
      switch try document.type(at: path) {
      case .dictionary, .record:
        path.append(.name(token))
        isElement = false
      case .array:
        guard let index = try index(token, in: path) else { return nil }
        path.append(.index(index))
        isElement = true
      default: return nil
      }
    }
    return (path, isElement)
  }

  /// The number of an element; a dash is the one behind the last.
  private func index(
    _ token: String, in path: [DocumentStep]
  ) throws(DocumentError) -> Int? {
    if token == "-", case .array(let values) = try document.value(at: path) { return values.count }
    guard let index = Int(token), String(index) == token, index >= 0 else { return nil }
    return index
  }
}
