package import LarderModel

/// The form of a value that its store shows as it found it, and writes for no new entry.
package enum UnknownForm {
  /// The word for the form of an element of a name: no form that can be written is called so.
  static func word(_ name: String) -> String { "<\(name)>" }

  /// The word for a value whose name, or a name inside it, is shown otherwise than it is stored, as it
  /// is not valid text.
  package static let invalidName = "<name that is not text>"

  static func isMeant(by form: String) -> Bool { form.hasPrefix("<") }
}

extension Entry {
  /// Whether a store of its kind can hold a new entry like this one, as far as its form says.
  package var canBeMadeAgain: Bool { form.map { !UnknownForm.isMeant(by: $0) } ?? true }

  /// Whether the key is not the name in the store, or the value has such a name inside, as that is not
  /// valid text.
  package var hasInvalidName: Bool { form == UnknownForm.invalidName }

  /// Why no other store can hold the same entry, as a clause; nil where one could.
  package var copyObstacle: String? {
    guard !canBeMadeAgain else { return nil }
    return hasInvalidName
      ? "its name, or one inside it, is not valid text, such as half a surrogate pair, and would "
        + "become another"
      : "it is of a type that nothing new can have"
  }
}
