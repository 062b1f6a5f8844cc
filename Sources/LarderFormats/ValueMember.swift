package import LarderModel
package import LarderDocuments

/// Reads and changes a member inside a value, leaving the rest of the value unchanged.
package enum ValueMember {
  /// Returns the name of the member at a key path: the notation of the corresponding key.
  package static func name(of path: [DocumentStep]) -> String {
    EntryKey(path: path).exactPath.notation(.typed)
  }

  /// Returns a member's key path in programming notation, such as `users[0].name`.
  package static func shownName(_ name: String) -> String { path(name).map(\.pathText) ?? name }

  /// Returns the member with the given name, or nil if there is none or the value has no members.
  package static func value(named name: String, in whole: StoredValue) -> StoredValue? {
    guard let path = path(name) else { return nil }
    switch whole {
    case .array, .dictionary: return whole.value(at: path)
    case .text, .data: return try? document(whole)?.value(at: path)
    default: return nil
    }
  }

  /// Returns the value with a member replaced; the rest of its text or bytes is unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if there is no such member or it cannot hold the new value.
  package static func replacing(
    _ name: String, in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let path = try pathOfPresent(name, in: whole)
    return try applying(.set(path, value), to: whole, name)
  }

  /// Returns the value without the given member; the rest of its text or bytes is unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if there is no such member.
  package static func removing(
    _ name: String, in whole: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let path = try pathOfPresent(name, in: whole)
    return try applying(.remove(path), to: whole, name)
  }

  /// Returns the value with a new member, or with an element appended to the array that the name
  /// leads into; the rest of its text or bytes is unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if the member already exists or cannot be added.
  package static func adding(
    _ name: String, in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    let name = free(name, in: whole)
    guard let path = path(name) else { throw gone(name) }
    guard self.value(named: name, in: whole) == nil else {
      throw ValueText.Failure.memberExists(shownName(name))
    }
    return try applying(.set(path, value), to: whole, name)
  }

  /// Returns the name of a new member, whose index is the end of the array if it is an element.
  package static func free(_ name: String, in whole: StoredValue) -> String {
    guard var path = path(name), case .index = path.popLast(),
      case .array(let values) = structure(of: whole)?.value(at: path)
    else { return name }
    return self.name(of: path + [.index(values.count)])
  }

  /// Returns the structure that contains the members: the value itself, or the parsed text or
  /// bytes; nil if the value has no members.
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

  /// Whether text or bytes are JSON, where numbers are stored as their digits.
  package static func keepsDigits(in whole: StoredValue) -> Bool {
    switch whole {
    case .text, .data: (try? document(whole)) is JSONDocument
    default: false
    }
  }

  private static func gone(_ name: String) -> ValueText.Failure {
    .memberGone(shownName(name))
  }

  package static func path(_ name: String) -> [DocumentStep]? {
    EntryKey(notation: name, style: .typed).documentPath
  }

  /// Returns the document in text or bytes, or nil if they are not an editable document.
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
