import LarderModel
import LarderDocuments

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
    guard let pointed = try pointer(key), try document.type(at: pointed) != nil else { return nil }
    return pointed
  }

  /// The path that a value is put at.
  ///
  /// A text that begins with a slash, and is no member's name, is a pointer: one with a mistake in it
  /// must not become the name of a new member.
  func pathToWrite(_ key: EntryKey) throws(DocumentError) -> [DocumentStep] {
    guard let path = key.documentPath else {
      throw DocumentError("the key is no name, no number and no path of these")
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

  /// Why a pointer leads nowhere, as a clause that names the part of it which is at fault.
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

  /// Why nothing can be put at a path, as a clause that names the part of it which is at fault; nil
  /// where there is something that can hold it.
  func obstacle(toPut path: [DocumentStep]) throws(DocumentError) -> String? {
    for count in path.indices {
      let part = Array(path.prefix(count))
      let name = part.isEmpty ? Self.top : EntryKey(path: part).notation(.typed)
      if let obstacle = try obstacle(at: part, called: name) { return obstacle }
    }
    return nil
  }

  /// What the whole of a document is called.
  private static var top: String { "the whole file" }

  /// Why a value holds no others, as a clause; nil where it can.
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

  /// The path that a pointer stands for, all of it but perhaps the last step of which is there.
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

  /// The number of an element; a dash is the one behind the last.
  private func index(
    _ token: String, in path: [DocumentStep]
  ) throws(DocumentError) -> Int? {
    if token == "-", case .array(let values) = try document.value(at: path) { return values.count }
    guard let index = Int(token), String(index) == token, index >= 0 else { return nil }
    return index
  }
}
