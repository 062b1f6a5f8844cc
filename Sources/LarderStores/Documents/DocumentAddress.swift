import LarderModel
import LarderDocuments
import LarderStoreBase

/// The resolution of keys to values in a document.
///
/// A key is the name or index of a member, or a key path. A string that starts with a slash and is
/// not the name of a member is a JSON Pointer such as `/users/0/name`.
struct DocumentAddress<Contents: Document> {
  let document: Contents

  /// Returns the path of the existing value for a key, or nil if there is none.
  func path(of key: EntryKey) throws(DocumentError) -> [DocumentStep]? {
    guard let path = key.documentPath else { return nil }
    if try document.type(at: path) != nil { return path }
    guard let pointed = try pointer(key), try document.type(at: pointed) != nil else { return nil }
    return pointed
  }

  /// Returns the path to write a value at.
  ///
  /// A string that starts with a slash and is not the name of a member is a JSON Pointer. An
  /// invalid pointer throws an error: it must not become the name of a new member.
  func pathToWrite(_ key: EntryKey) throws(DocumentError) -> [DocumentStep] {
    guard let path = key.documentPath else {
      throw .notPath
    }
    guard Contents.hasPaths, case .text(let text) = key, text.utf8.first == UInt8(ascii: "/"),
      try document.type(at: path) == nil
    else { return path }
    if let pointed = try pointer(key) {
      guard pointed.last == .name(""), try document.type(at: pointed) == nil else { return pointed }
      throw .trailingSlash(pointed)
    }
    throw .leadingSlash(try obstacle(on: text), key)
  }

  /// Returns the reason that a pointer cannot be resolved, as a clause that names the invalid part.
  private func obstacle(on text: String) throws(DocumentError) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var start = ""
    if let obstacle = try obstacle(at: [], called: Messages.wholeFile) { return obstacle }
    for part in parts.dropLast() {
      let next = "\(start)/\(part)"
      guard let path = try pointer(.text(next)) else { return Messages.nothing(at: next) }
      if let obstacle = try obstacle(at: path, called: next) { return obstacle }
      start = next
    }
    return Messages.notIndex(in: start)
  }

  /// Returns the reason that no value can be put at a path, as a clause that names the invalid
  /// part, or nil if its parent is a container.
  func obstacle(toPut path: [DocumentStep]) throws(DocumentError) -> String? {
    for count in path.indices {
      let part = Array(path.prefix(count))
      let name = part.isEmpty ? Messages.wholeFile : EntryKey(path: part).notation(.typed)
      if let obstacle = try obstacle(at: part, called: name) { return obstacle }
    }
    return nil
  }

  /// Returns the reason that a value cannot contain others, as a clause, or nil if it can.
  private func obstacle(
    at path: [DocumentStep], called name: String
  ) throws(DocumentError) -> String? {
    guard let type = try document.type(at: path) else { return Messages.nothing(at: name) }
    guard ![.dictionary, .record, .array].contains(type) else { return nil }
    return Messages.noMembers(name, type)
  }

  /// Returns the path of a JSON Pointer, in which only the last component may be missing.
  private func pointer(_ key: EntryKey) throws(DocumentError) -> [DocumentStep]? {
    guard case .text(let text) = key, text.utf8.first == UInt8(ascii: "/") else { return nil }
    var path: [DocumentStep] = []
    for part in text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      let token = String(Substring(part)).replacing("~1", with: "/").replacing("~0", with: "~")
      switch try document.type(at: path) {
      case .dictionary, .record:
        path.append(.name(token))
        if let name = EntryKey(path: path).unnumberedNames.last,
          try document.type(at: path.dropLast() + [.name(token, repetition: 1)]) != nil
        {
          throw .repeatedName(name.spoken, name.keys(isTwice: false))
        }
      case .array:
        guard let index = try index(token, in: path) else { return nil }
        path.append(.index(index))
      default: return nil
      }
    }
    return path
  }

  /// Returns the index of an element; a dash is the index after the last element.
  private func index(
    _ token: String, in path: [DocumentStep]
  ) throws(DocumentError) -> Int? {
    if token == "-", case .array(let values) = try document.value(at: path) { return values.count }
    guard let index = Int(token), String(index) == token, index >= 0 else { return nil }
    return index
  }
}
