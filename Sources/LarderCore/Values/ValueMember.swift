/// A member inside a value, which is changed so that everything else of the value stays as it is.
enum ValueMember {
  /// The name by which a member is known: the notation of the key that its path would be.
  static func name(of path: [DocumentStep]) -> String {
    EntryKey(path: path).exactPath.notation(.typed)
  }

  /// The way to the member of a name, as programs write it: `users[0].name`.
  static func shownName(_ name: String) -> String { path(name).map(\.pathText) ?? name }

  /// The member of a name; nil where there is none, or the value is none that can be taken apart.
  static func value(named name: String, in whole: StoredValue) -> StoredValue? {
    guard let path = path(name) else { return nil }
    switch whole {
    case .array, .dictionary: return whole.value(at: path)
    case .text, .data: return try? document(whole)?.value(at: path)
    default: return nil
    }
  }

  /// The value with another member under a name; text and bytes stay what they are elsewhere.
  ///
  /// - Throws: Why the value cannot hold the member.
  static func replacing(
    _ name: String, in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    guard let path = path(name) else { throw gone(name) }
    do {
      switch whole {
      case .array, .dictionary:
        guard whole.value(at: path) != nil else { throw gone(name) }
        var changed = whole
        try changed.apply(.set(path, value), below: 0)
        return changed
      case .text, .data:
        guard let document = try document(whole), try document.value(at: path) != nil else {
          throw gone(name)
        }
        let bytes = try document.applying([.set(path, value)])
        if case .data = whole { return .data(bytes) }
        return StoredValue(textBytes: bytes)
      default: throw gone(name)
      }
    } catch let failure as ValueText.Failure {
      throw failure
    } catch {
      throw ValueText.Failure("\(error)")
    }
  }

  /// Whether text or bytes are JSON, in which a number keeps its digits.
  static func keepsDigits(in whole: StoredValue) -> Bool {
    switch whole {
    case .text, .data: (try? document(whole)) is JSONDocument
    default: false
    }
  }

  private static func gone(_ name: String) -> ValueText.Failure {
    ValueText.Failure("the value has no member \(name) any more")
  }

  private static func path(_ name: String) -> [DocumentStep]? {
    EntryKey(notation: name, style: .typed).documentPath
  }

  /// The document that text or bytes are; nil where they are none that can be changed.
  private static func document(_ value: StoredValue) throws(DocumentError) -> (any Document)? {
    let bytes = ValueFormat.bytes(of: value)
    if ValueFormat.looksLikeList(bytes) {
      let list = try PropertyListDocument(parsing: bytes)
      return list.readOnlyReason == nil ? list : nil
    }
    guard ValueFormat.beginsStructure(bytes) else { return nil }
    return try JSONDocument(parsing: bytes)
  }
}
