package import LarderModel
package import LarderDocuments

/// A member inside a value, which is changed so that everything else of the value stays as it is.
package enum ValueMember {
  /// The name by which a member is known: the notation of the key that its path would be.
  package static func name(of path: [DocumentStep]) -> String {
    EntryKey(path: path).exactPath.notation(.typed)
  }

  /// The way to the member of a name, as programs write it: `users[0].name`.
  package static func shownName(_ name: String) -> String { path(name).map(\.pathText) ?? name }

  /// The member of a name; nil where there is none, or the value is none that can be taken apart.
  package static func value(named name: String, in whole: StoredValue) -> StoredValue? {
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
  package static func replacing(
    _ name: String, in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let path = try pathOfPresent(name, in: whole)
    return try applying(.set(path, value), to: whole, name)
  }

  /// The value without the member of a name; text and bytes stay what they are elsewhere.
  ///
  /// - Throws: That there is no such member.
  package static func removing(
    _ name: String, in whole: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let path = try pathOfPresent(name, in: whole)
    return try applying(.remove(path), to: whole, name)
  }

  /// The value with one more member of a name, or with one more element at the end of the array that
  /// the name leads into; text and bytes stay what they are elsewhere.
  ///
  /// - Throws: Why the value cannot hold the member.
  package static func adding(
    _ name: String, in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let name = free(name, in: whole)
    guard let path = path(name) else { throw gone(name) }
    guard self.value(named: name, in: whole) == nil else {
      throw ValueText.Failure("there is a member \(shownName(name)) already")
    }
    return try applying(.set(path, value), to: whole, name)
  }

  /// The name under which a member is added, which for one of an array is its place at the end.
  package static func free(_ name: String, in whole: StoredValue) -> String {
    guard var path = path(name), case .index = path.popLast(),
      case .array(let values) = structure(of: whole)?.value(at: path)
    else { return name }
    return self.name(of: path + [.index(values.count)])
  }

  /// What holds the members: the value, or what its text or bytes are; nil where it cannot be taken
  /// apart.
  package static func structure(of whole: StoredValue) -> StoredValue? {
    switch whole {
    case .array, .dictionary: whole
    case .text, .data: try? document(whole)?.value(at: [])
    default: nil
    }
  }

  private static func pathOfPresent(
    _ name: String, in whole: StoredValue
  ) throws(ValueText.Failure) -> [DocumentStep] {
    guard let path = path(name), value(named: name, in: whole) != nil else { throw gone(name) }
    return path
  }

  private static func applying(
    _ change: DocumentChange, to whole: StoredValue, _ name: String
  ) throws(ValueText.Failure) -> StoredValue {
    do {
      switch whole {
      case .array, .dictionary:
        var changed = whole
        try changed.apply(change, below: 0)
        return changed
      case .text, .data:
        guard let document = try document(whole) else { throw gone(name) }
        let bytes = try document.applying([change])
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
  package static func keepsDigits(in whole: StoredValue) -> Bool {
    switch whole {
    case .text, .data: (try? document(whole)) is JSONDocument
    default: false
    }
  }

  private static func gone(_ name: String) -> ValueText.Failure {
    ValueText.Failure("the value has no member \(shownName(name)) any more")
  }

  package static func path(_ name: String) -> [DocumentStep]? {
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
