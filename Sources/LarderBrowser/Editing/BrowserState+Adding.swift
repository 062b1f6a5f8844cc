import LarderModel

extension BrowserState {
  /// Asks for the key of a new entry, or takes the one that is named.
  mutating func askForNewKey(_ typed: String) -> [BrowserEffect] {
    let beside = isInTree && value?.path != nil ? value.map { text(of: $0.key) } : nil
    overlay = .prompt(PromptModel(.newKey(NewKeyModel(beside: beside)), text: typed))
    return typed.isEmpty ? [] : submitNewKey()
  }

  /// Looks early whether there is an entry under the key that is typed.
  mutating func lookAtNewKey() -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, var look = prompt.newKey?.unknown,
      let reference = keys?.store.reference
    else { return [] }
    defer {
      prompt.newKey = look
      overlay = .prompt(prompt)
    }
    guard !prompt.buffer.text.isEmpty else { return [.cancel(.newKey)] }
    // In a scope all that is typed is text.
    if keys?.scope.isEmpty == true, let fault = keys?.store.fault(inTyped: prompt.buffer.text) {
      look.problem = fault
      return [.cancel(.newKey)]
    }
    let token = newToken()
    look.checking = token
    return [.checkKey(reference, key(prompt.buffer.text), token: token)]
  }

  /// Goes to the entry that has the key already.
  mutating func goToPresent() -> [BrowserEffect] {
    guard case .prompt(let prompt) = overlay, let present = prompt.newKey?.present else {
      return []
    }
    overlay = nil
    let effects = goTo(present)
    say("\(text(of: present)) is there already; nothing was added")
    return effects
  }

  /// Takes the key that is typed, unless another entry has it: the value is typed next.
  ///
  /// A key that is taken stays in its line. Whoever types on without looking means the value, and
  /// in the list each of its letters would be a command.
  mutating func submitNewKey() -> [BrowserEffect] {
    guard case .prompt(let prompt) = overlay, let look = prompt.newKey, !look.isSubmitted,
      look.present == nil
    else { return [] }
    guard !prompt.buffer.text.isEmpty else {
      overlay = nil
      return []
    }
    // What is typed from here on is the value, and waits for the answer.
    let effects = look.checking == nil ? lookAtNewKey() : []
    guard case .prompt(var looking) = overlay, looking.newKey?.checking != nil else {
      return effects
    }
    looking.newKey?.isSubmitted = true
    overlay = .prompt(looking)
    return effects
  }

  /// Takes in what there is under the key that is typed.
  mutating func newKeyChecked(
    token: Int, _ result: Result<Entry, StoreError>
  ) -> [BrowserEffect] {
    guard case .prompt(var prompt) = overlay, var look = prompt.newKey, look.checking == token
    else { return [] }
    let isSubmitted = look.isSubmitted
    look = look.unknown
    switch result {
    case .success(let entry): look.present = entry.key
    case .failure(.notFound), .failure(.cancelled):
      if isSubmitted { return addEntry(key(prompt.buffer.text), draft: prompt.draft) }
    case .failure(let error): look.problem = error.message
    }
    prompt.newKey = look
    overlay = .prompt(prompt)
    return []
  }

  /// Opens the editor for a new entry, whose key may be kept as a draft.
  private mutating func addEntry(_ key: EntryKey, draft: String?) -> [BrowserEffect] {
    guard let store = keys?.store else { return [] }
    var editor = EditorModel(
      store: store.reference, newKey: key, title: text(of: key), template: store.template,
      optionalFields: store.optionalFields, valueType: store.valueType,
      keepsDigits: store.kind.keepsDigits)
    editor.isSecret = store.hidesValues
    editor.hasTypedName = true
    editor.draft = draft
    overlay = .editor(editor)
    return keepSoon()
  }
}
