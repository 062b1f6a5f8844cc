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
      throw DocumentError("the key is not a name, a number or a path of these")
    }
    guard Contents.hasPaths, case .text(let text) = key, text.utf8.first == UInt8(ascii: "/"),
      try document.type(at: path) == nil
    else { return path }
    if let pointed = try pointer(key) {
      guard pointed.last == .name(""), try document.type(at: pointed) == nil else { return pointed }
      throw DocumentError(
        "it ends with a slash; \(EntryKey(path: pointed).notation(.typed)) is the member without a "
          + "name")
    }
    throw DocumentError(
      "\(try obstacle(on: text)); a name that begins with a slash is written in parentheses, "
        + key.exactPath.notation(.typed))
  }

  /// Returns the reason that a pointer cannot be resolved, as a clause that names the invalid part.
  private func obstacle(on text: String) throws(DocumentError) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var start = ""
    if let obstacle = try obstacle(at: [], called: Self.top) { return obstacle }
    for part in parts.dropLast() {
      let next = "\(start)/\(part)"
      guard let path = try pointer(.text(next)) else { return Self.missing(next) }
      if let obstacle = try obstacle(at: path, called: next) { return obstacle }
      start = next
    }
    return
      "\(start.isEmpty ? "the top" : start) is an array, whose elements are numbers from 0, or - for a "
      + "new one"
  }

  /// Returns the reason that no value can be put at a path, as a clause that names the invalid
  /// part, or nil if its parent is a container.
  func obstacle(toPut path: [DocumentStep]) throws(DocumentError) -> String? {
    for count in path.indices {
      let part = Array(path.prefix(count))
      let name = part.isEmpty ? Self.top : EntryKey(path: part).notation(.typed)
      if let obstacle = try obstacle(at: part, called: name) { return obstacle }
    }
    return nil
  }

  /// The term for the root value of a document.
  private static var top: String { "the whole file" }

  /// Returns the reason that a value cannot contain others, as a clause, or nil if it can.
  private func obstacle(
    at path: [DocumentStep], called name: String
  ) throws(DocumentError) -> String? {
    guard let type = try document.type(at: path) else { return Self.missing(name) }
    guard ![.dictionary, .record, .array].contains(type) else { return nil }
    return "\(name) is of type \(type.rawValue), which holds no others"
  }

  private static func missing(_ name: String) -> String {
    "there is nothing at \(name) (put what is missing first, one level after the other)"
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
          throw DocumentError(
            "\(name.spoken) occurs more than once. Its keys are \(name.keys(isTwice: false))",
            isRefusal: true)
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
