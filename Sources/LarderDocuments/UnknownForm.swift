package import LarderModel

/// The form of a value that its store can show, but cannot write for a new entry.
package enum UnknownForm {
  /// Returns the form's name for an XML element; no writable form has such a name.
  static func word(_ name: String) -> String { "<\(name)>" }

  /// The form of a value whose name, or a name inside it, is not valid text and is shown in a
  /// substitute spelling.
  package static let invalidName = "<name that is not text>"

  static func isMeant(by form: String) -> Bool { form.hasPrefix("<") }
}

extension Entry {
  /// Whether the entry's form allows a store of the same kind to hold a new entry like it.
  package var canBeRecreated: Bool { form.map { !UnknownForm.isMeant(by: $0) } ?? true }

  /// Whether the name in the store, or a name inside the value, is not valid text, so that the key
  /// differs from the stored name.
  package var hasInvalidName: Bool { form == UnknownForm.invalidName }

  /// The reason, as a clause, why no other store can hold the same entry; nil if one could.
  package var copyObstacle: String? {
    guard !canBeRecreated else { return nil }
    return hasInvalidName ? Messages.invalidName : Messages.foreignType
  }
}
