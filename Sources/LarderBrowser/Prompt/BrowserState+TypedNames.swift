import LarderModel
import LarderFormats
import Foundation

/// Drafts of names that are typed in a prompt.
extension BrowserState {
  /// The open prompt if its text has a draft.
  var typedNameLine: PromptModel? {
    get {
      guard case .prompt(let prompt) = overlay, prompt.purpose.draftLine != nil else { return nil }
      return prompt
    }
    set { if let newValue, typedNameLine != nil { overlay = .prompt(newValue) } }
  }

  /// Returns the draft of the prompt.
  ///
  /// - Parameters:
  ///   - id: The id of the draft.
  ///   - place: The store, by its path with symbolic links resolved.
  ///   - date: The current time.
  /// - Returns: The draft, or `nil` if nothing was typed.
  func typedName(_ id: String, at place: StoreLocation, date: Date) -> Draft? {
    guard let prompt = typedNameLine, let line = prompt.purpose.draftLine, let store = keys?.store
    else {
      return nil
    }
    let text = prompt.buffer.text
    guard !text.isEmpty, !text.hasBytes(of: prompt.initialText) else { return nil }
    var draft = Draft(
      id: id, place: place, title: "", key: key(text), line: line, type: .text, text: text,
      date: date)
    if let rename = prompt[RenameModel.self] {
      draft.title = rename.title
      draft.key = rename.key
      draft.expecting = rename.expecting
    } else if let member = prompt[NewMemberModel.self] {
      draft.title = member.title
      draft.key = member.entry.key
      draft.base = member.entry
      draft.part = member.container
    } else if keys?.scope.isEmpty == false {
      // The next session may have another scope, so the whole key is stored.
      draft.text = draft.key.notation(store.keyStyle)
    }
    return draft
  }

  /// Reopens a prompt with the draft of an earlier session.
  mutating func resumeName(_ line: Draft.Line, _ draft: Draft) -> Effects {
    guard let store = keys?.store else { return [] }
    switch line {
    case .newKey:
      let (text, effects) = textInScope(of: draft)
      overlay = .prompt(PromptModel(NewKeyModel(), text: text, initialText: ""))
      return effects + lookAtNewKey()
    case .newRow: return resumeNewRow(draft)
    case .rename, .copy:
      guard let expecting = draft.expecting else { return [] }
      var rename = RenameModel(
        store: store.reference, key: draft.key, title: draft.title, expecting: expecting)
      rename.isCopy = line == .copy
      let initial = draft.key.notation(store.keyStyle)
      overlay = .prompt(PromptModel(rename, text: draft.text, initialText: initial))
      let list = goToAnyKey(draft.key)
      keys?.wanted = nil
      return list + newKeyTyped()
    case .newMember:
      guard let base = draft.base, let value = base.value,
        case .dictionary(let fields)? = draft.part.value(in: value).flatMap(ValueMember.structure)
      else { return [] }
      let member = newMember(of: draft.part, fields, in: base)
      overlay = .prompt(PromptModel(member, text: draft.text, initialText: ""))
      let list = goToAnyKey(draft.key)
      keys?.wanted = nil
      return list + lookAtNewMember()
    }
  }

  /// Returns the key of a draft without the scope of the list, which is left if the key is not in
  /// it.
  private mutating func textInScope(of draft: Draft) -> (String, Effects) {
    let scope = keys?.scope ?? ""
    if scope.isEmpty { return (draft.text, []) }
    if case .text(let key) = draft.key, key.utf8.starts(with: scope.utf8) {
      return (String(decoding: key.utf8.dropFirst(scope.utf8.count), as: UTF8.self), [])
    }
    return (draft.text, change(scope: "") + reloadKeys())
  }
}
