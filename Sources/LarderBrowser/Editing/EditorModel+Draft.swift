import LarderModel
import Foundation

extension EditorModel {
  /// Creates an editor from the draft of an earlier session.
  init(
    store: StoreReference, draft: Draft, keepsDigits: Bool
  ) {
    if let base = draft.base {
      self.init(
        store: store, entry: base, title: draft.title, part: draft.part,
        isNewMember: draft.isNewMember, keepsDigits: keepsDigits)
    } else {
      self.init(
        store: store, newKey: draft.key, title: draft.title, keepsDigits: keepsDigits)
    }
    resume(draft)
  }

  /// Returns the draft of the editor.
  ///
  /// - Parameters:
  ///   - id: The id of the draft.
  ///   - place: The store, by its path with symbolic links resolved.
  ///   - date: The current time.
  ///   - isOutside: Whether an external program is about to open the text.
  /// - Returns: The draft, or `nil` if neither a value nor a name was typed and no external program
  ///   can change the text.
  func draft(
    _ id: String, at place: StoreLocation, date: Date, isOutside: Bool = false
  ) -> Draft? {
    guard isChanged || isOutside || hasTypedName else { return nil }
    return Draft(
      id: id, place: place, title: title, key: key, part: part, isNewMember: isNewMember,
      base: base,
      expecting: expecting, type: type, form: form, isHex: isHex, text: buffer.text, date: date,
      outside: isOutside ? .init(path: "", isTyped: isChanged) : nil)
  }
}
