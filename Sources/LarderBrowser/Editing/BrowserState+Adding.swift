import LarderFormats
import LarderModel

extension BrowserState {
  /// Asks for the key of a new entry, or uses the key given as the command's argument.
  mutating func askForNewKey(_ typed: String) -> Effects {
    let beside = isInTree && value?.path != nil ? value.map { text(of: $0.key) } : nil
    overlay = .prompt(PromptModel(NewKeyModel(beside: beside), text: typed))
    return typed.isEmpty ? [] : submitNewKey()
  }

  /// Checks in the background whether the typed key is still free.
  mutating func lookAtNewKey() -> Effects {
    guard case .prompt(var prompt) = overlay, var look = prompt[NewKeyModel.self]?.unknown,
      let reference = keys?.store.reference
    else { return [] }
    defer {
      prompt[NewKeyModel.self] = look
      overlay = .prompt(prompt)
    }
    guard !prompt.buffer.text.isEmpty else { return [Cancel(.newKey)] }
    // Within a scope, any text is a valid key.
    if keys?.scope.isEmpty == true, let fault = keys?.store.fault(inTyped: prompt.buffer.text) {
      look.problem = fault
      return [Cancel(.newKey)]
    }
    let ticket = ticket { $0.typedLine?[NewKeyModel.self]?.checking }
    look.checking = ticket.token
    return [CheckKey(store: reference, key: key(prompt.buffer.text), ticket: ticket)]
  }

  /// Selects the existing entry that has the typed key.
  mutating func goToPresent() -> Effects {
    guard case .prompt(let prompt) = overlay, let present = prompt[NewKeyModel.self]?.present else {
      return []
    }
    overlay = nil
    let effects = goTo(present)
    say(Messages.exists(text(of: present)))
    return effects
  }

  /// Accepts the typed key unless it is taken, and opens the editor for the value.
  ///
  /// A taken key stays in the prompt: anyone typing ahead means the value, and in the list each
  /// letter would run a command.
  mutating func submitNewKey() -> Effects {
    guard case .prompt(let prompt) = overlay, let look = prompt[NewKeyModel.self],
      !look.isSubmitted,
      look.present == nil
    else { return [] }
    guard !prompt.buffer.text.isEmpty else {
      overlay = nil
      return []
    }
    // Input from here on belongs to the value and waits for the answer.
    let effects = look.checking == nil ? lookAtNewKey() : []
    guard case .prompt(var looking) = overlay, looking[NewKeyModel.self]?.checking != nil else {
      return effects
    }
    looking[NewKeyModel.self]?.isSubmitted = true
    overlay = .prompt(looking)
    return effects
  }

  /// Handles the result of checking the typed key.
  mutating func newKeyChecked(_ result: Answer<Entry>) -> Effects {
    if newRow != nil { return keyOfNewRowChecked(result) }
    guard case .prompt(var prompt) = overlay, var look = prompt[NewKeyModel.self] else { return [] }
    let isSubmitted = look.isSubmitted
    look = look.unknown
    switch result {
    case .success(let entry): look.present = entry.key
    case .failure(.notFound), .failure(.cancelled):
      if isSubmitted { return addEntry(key(prompt.buffer.text), draft: prompt.draft) }
    case .failure(let error): look.problem = error.message
    }
    prompt[NewKeyModel.self] = look
    overlay = .prompt(prompt)
    return []
  }

  /// Opens the editor for a new entry, whose typed key may already have a draft.
  private mutating func addEntry(_ key: EntryKey, draft: String?) -> Effects {
    guard let store = keys?.store else { return [] }
    var editor = EditorModel(
      store: store.reference, newKey: key, title: text(of: key), valueType: store.valueType,
      keepsDigits: store.kind.keepsDigits)
    editor.isSecret = store.hidesValues
    editor.isNullable = canBeNull(ValuePart(), in: store)
    editor.hasTypedName = true
    editor.draft = draft
    overlay = .editor(editor)
    return scheduleAutosave()
  }
}
