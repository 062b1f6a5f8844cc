/// The form of a value that its store shows as it found it, and writes for no new entry.
enum UnknownForm {
  /// The word for the form of an element of a name: no form that can be written is called so.
  static func word(_ name: String) -> String { "<\(name)>" }

  static func isMeant(by form: String) -> Bool { form.hasPrefix("<") }
}

extension Entry {
  /// Whether a store of its kind can hold a new entry like this one, as far as its form says.
  package var canBeMadeAgain: Bool { form.map { !UnknownForm.isMeant(by: $0) } ?? true }
}
