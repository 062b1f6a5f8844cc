import Foundation
import LarderModel

/// Messages about editing and adding, and drafts of unsaved text.
extension Messages {
  // MARK: Editing

  static let useFile = "; use larder get and larder put --file"
  static let tooLargeToEdit = "the value is too large to edit here" + useFile
  static let tooLargeToAddMember = "the value is too large to add a member here; use larder put"
  static let tooLargeToDeleteMember =
    "the value is too large to delete a member here; use larder put"
  static let replacesSecret = "saving replaces the secret and cannot be undone"
  static let typeSecret = "type the new secret; Esc keeps the old one"
  static let keptTheirs = nothing("written", since: "kept their version")
  static let externalSecret = "secrets cannot be edited in another program"
  static let noTerminal = "there is no terminal for an editor; e edits here"

  static func computed(_ column: String) -> String {
    "the database computes the column \(column), so it cannot be edited"
  }

  static func brokenJSON(_ what: String, save: String) -> String {
    "\(what) is no longer valid JSON; \(save) saves it anyway"
  }

  static func saved(_ what: String) -> String { "saved \(what)" }

  static func unchanged(_ what: String) -> String {
    nothing("written", since: "\(what) is unchanged")
  }

  static func writing(_ what: String) -> String { "still writing \(what)" }

  static func notSaved(save: String) -> String {
    "not saved: Esc again discards it, \(save) saves it"
  }

  static func discarded(_ what: String) -> String { "discarded your changes to \(what)" }

  static func keptBackingStore(_ advice: String) -> String {
    nothing("written", since: "kept the value of the backing store") + advice
  }

  static func otherElement(save: String) -> String {
    "another element is at this index now; \(save) overwrites it"
  }

  static func tooLargeForEditor(_ what: String, isWhole: Bool) -> String {
    "the text of \(what) is too large for an external editor" + (isWhole ? useFile : "")
  }

  static func notWritten(canChangeType: Bool) -> String {
    "not written yet: Ctrl-X goes back to your editor"
      + (canChangeType ? ", Ctrl-T changes the type" : "") + ", Esc twice discards it"
  }

  /// Returns the problem of a text that looks like a value of another type.
  static func otherType(_ problem: String) -> String { "\(problem); Ctrl-T changes the type" }

  static func notText(_ type: String) -> String {
    "these bytes are not text, so they stay \(type)"
  }

  /// Returns the names of a member and the objects around it: `a in b`.
  static func member(_ names: [String]) -> String { names.joined(separator: " in ") }

  static func part(_ names: [String], of title: String) -> String {
    "\(member(names.reversed())) of \(title)"
  }

  // MARK: Adding

  static let newRow = "the new row"
  static let saveRow = "Ctrl-S"
  static let keyTaken = "an entry with this key already exists"
  static let takenKeyAdvice = "\(keyTaken); Tab goes to it"
  static let checkingKey = "checking whether the key is free…"
  static let memberTaken = "a member with this name already exists"
  static let noName = nothing("added", since: "no name was typed")
  static let emptyText = "empty text"
  static let nextNumber = "next number"

  static func exists(_ key: String) -> String { nothing("added", since: "\(key) already exists") }

  static func newEntry(nextTo key: String) -> String {
    "a new entry next to \(key), not a member of it"
  }

  static func newMember(of title: String) -> String { "a new member of \(title)" }

  static func notNull(_ column: String) -> String { "\(column) cannot be null" }

  static func required(_ column: String) -> String { "\(column) is required" }

  static func added(_ key: String) -> String { "added \(key)" }

  static func chosenType(_ type: String) -> String { "as \(type)" }

  // MARK: Drafts

  static let noDrafts = "--no-journal disables drafts"
  static let noDraft = "there is no draft for this store"
  static let wholeFile = "the whole file"
  static let aNewKey = "a new key"
  static let aNewRow = "a new row"

  static func newKey(of title: String) -> String { "the new key of \(title)" }

  static func copy(of title: String) -> String { "a copy of \(title)" }

  static func draftsNotSaved(_ problem: String) -> String { "drafts cannot be saved: \(problem)" }

  static func editorText(_ title: String, in folder: String) -> String {
    "your editor's text for \(title) is in \(folder)"
  }

  static func restores(_ text: String, recover: String) -> String {
    "\(text); \(recover) restores it"
  }

  static func draft(_ subject: String, recover: String) -> String {
    restores("unsaved text for \(subject) from an earlier session", recover: recover)
  }

  static func drafts(_ subject: String, others: Int, recover: String) -> String {
    "unsaved text for \(several(subject, others: others)); \(recover) restores the latest"
  }

  static func draftsElsewhere(_ names: [String], hasMore: Bool, recover: String) -> String {
    "unsaved text in \(names.joined(separator: ", "))\(hasMore ? ", …" : "") from an earlier "
      + "session; \(recover) there restores it"
  }

  static func recovered(_ date: Date, others: Int, save: String, _ rest: String?) -> String {
    "draft from \(Timestamp.text(of: date))\(others > 0 ? " (\(others) more)" : ""): \(save) saves "
      + "it, Esc twice discards it" + (rest.map { "; \($0)" } ?? "")
  }

  // MARK: Secrets

  static let copiedSecret =
    "copied the secret; the clipboard is cleared in 45 seconds, or when larder quits"
  static let clearedSecret = "the secret was cleared from the clipboard"

  static func secretChanged(reload: String) -> String {
    nothing("written", since: "it was changed by another program since it was read")
      + ". Reload it (\(reload)) first"
  }
}
