import LarderModel
import Foundation

extension EditorModel {
  /// An editor for what was typed in a run that is over.
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

  /// What has to be kept of the editor.
  ///
  /// - Parameters:
  ///   - id: Which draft it is.
  ///   - place: The store, by its path without links.
  ///   - date: The time.
  ///   - isOutside: Whether another program is about to have the text.
  /// - Returns: The draft; nil where neither a value nor a name was typed, and nobody else can type
  ///   anything.
  func draft(
    _ id: String, at place: StoreLocation, date: Date, isOutside: Bool = false
  ) -> Draft? {
    guard isChanged || isOutside || hasTypedName else { return nil }
    return Draft(
      id: id, place: place, title: title, key: key, part: part, isNewMember: isNewMember,
      base: base,
      expecting: expecting, type: type, isHex: isHex, text: buffer.text, date: date,
      outside: isOutside ? .init(path: "", isTyped: isChanged) : nil)
  }
}
