import LarderModel

extension BrowserState {
  /// Whether letters are typed as text rather than run as commands.
  package var isTyping: Bool {
    switch overlay {
    case .prompt, .editor, .newRow: true
    case .help(let model): model.isTyping
    default: false
    }
  }

  /// Whether the overlay is being written, so that further input waits.
  package var isWriting: Bool {
    switch overlay {
    case .prompt(let prompt): prompt.isTaken
    case .editor(let editor): editor.saving != nil
    case .newRow(let row): row.saving != nil
    case .confirm(let confirm): confirm.deleting != nil
    default: false
    }
  }

  /// Whether a submitted key is being checked, so that further input waits.
  package var isLooking: Bool {
    guard case .prompt(let prompt) = overlay else { return false }
    return prompt[NewKeyModel.self]?.isSubmitted == true
  }

  mutating func type(_ edit: TextEdit) -> Effects {
    switch overlay {
    case .prompt(var prompt):
      guard !prompt.isTaken, !isLooking else { return [] }
      let before = prompt.buffer.text
      // A slash searches all values, also where the prompt begins with the selected column.
      if prompt.purpose is FilterPrompt, edit == .insert("/"),
        before.hasBytes(of: prompt.initialText),
        !before.isEmpty, before == shownGrid?.selected.map({ FilterText.begun($0) })
      {
        prompt.replaceText(with: "")
      }
      prompt.apply(edit.onOneLine)
      overlay = .prompt(prompt)
      return lineChanged(from: before)
    case .editor(var editor):
      // A value must not change while it is being written.
      guard editor.saving == nil else { return [] }
      let before = editor.buffer.pieces
      editor.buffer.apply(edit)
      editor.isLeaving = false
      editor.isBreaking = false
      message = nil
      let checks = editor.buffer.pieces == before ? [] : check(&editor)
      overlay = .editor(editor)
      return checks + scheduleAutosave()
    case .newRow: return typeInNewRow(edit)
    case .help: return typeInHelp(edit.onOneLine)
    default: return []
    }
  }

  /// Validates the text, in the background if it is long.
  private mutating func check(_ editor: inout EditorModel) -> Effects {
    guard editor.buffer.count > EditorModel.maximumQuickCount else {
      let isChecking = editor.checking != nil
      editor.check()
      return isChecking ? [Cancel(.typedCheck)] : []
    }
    let ticket = ticket { $0.editor?.checking }
    editor.checking = ticket.token
    return [CheckTyped(editor: editor, ticket: ticket)]
  }

  /// Shows the result of validating a long text in the background.
  mutating func typedChecked(_ problem: String?) -> Effects {
    guard var editor else { return [] }
    editor.checking = nil
    editor.problem = problem
    overlay = .editor(editor)
    return []
  }

  /// Notifies the prompt if its text has changed.
  mutating func lineChanged(from before: String) -> Effects {
    guard let prompt = typedLine, !prompt.buffer.text.hasBytes(of: before) else { return [] }
    return prompt.purpose.typed(in: &self)
  }

  /// Closes the overlay, stops an operation in progress, or goes one step back.
  mutating func leave() -> Effects {
    switch overlay {
    case .prompt(let prompt): return leave(prompt)
    case .editor(let editor): return leave(editor)
    case .newRow(let row): return leave(row)
    case .conflict(let conflict):
      // The box may open just when the user presses Esc for something else. Then neither the text
      // may be lost nor the conflict be resolved.
      if case .write(let editor) = conflict.attempt {
        overlay = .editor(editor)
        return []
      }
      return keepTheirs()
    case .confirm(let confirm):
      guard confirm.deleting == nil else { return stopOwnWork() }
      overlay = nil
      say(
        confirm.marked.isEmpty
          ? Messages.kept(confirm.title, "deleted") : Messages.nothing("deleted"))
      return confirm.reading == nil ? [] : [Cancel(.marked)]
    case .help(let model): return leave(model)
    case .messages, .comparison, .details:
      overlay = nil
      return []
    case .overview: return leaveOverview()
    case .history: return closeHistory()
    case .differences: return leaveDifferences()
    case .changes: return closeChanges()
    case .findings: return leaveFindings()
    case nil: break
    }
    message = nil
    if typedCount != nil { return [] }
    if keys?.load != nil {
      if keys?.isSorted == true { return stopSorting() }
      if keys?.filter != nil { return stopScan() }
    }
    if keys?.markingAll != nil { return stopMarkingAll() }
    if let effects = stopAsking() { return effects }
    if comparing != nil {
      comparing = nil
      say(Messages.nothing("compared"))
      return [Cancel(.comparison)]
    }
    if exporting != nil { return stopExport() }
    if work != nil { return stopWork() }
    if stopValueJobs() { return [Cancel(.value)] }
    if endSearch() { return [] }
    if focus == .value, let effects = closeColumn() { return effects }
    if focus == .value, shownGrid != nil {
      focus = .keys
      return []
    }
    if unmark() { return [] }
    if let text = keys?.filterText, !text.isEmpty { return filterKeys("") }
    if let effects = leaveChosenTimes() { return effects }
    if focus == .keys, let effects = leaveLink() { return effects }
    switch focus {
    case .value: focus = .keys
    case .keys where isListEntered:
      focus = .stores
      isListEntered = false
    // If the user did not come from the list of stores, an extra Esc does not move the focus there.
    case .keys, .stores: break
    }
    return []
  }

  /// Closes the prompt, unless its action is in progress.
  private mutating func leave(_ prompt: PromptModel) -> Effects {
    guard !prompt.isTaken else { return stopOwnWork() }
    overlay = nil
    return prompt.purpose.left(prompt, in: &self)
  }

  /// Closes the editor; discards typed text only at the second Esc.
  private mutating func leave(_ editor: EditorModel) -> Effects {
    if editor.saving != nil {
      say(Messages.writing(subject(of: editor)), .warning)
    } else if editor.isChanged, !editor.isLeaving {
      var editor = editor
      editor.isLeaving = true
      overlay = .editor(editor)
      say(Messages.notSaved(save: editor.savingKey), .warning)
    } else {
      overlay = nil
      if editor.isChanged {
        say(
          editor.isNew
            ? Messages.nothing("added") : Messages.discarded(subject(of: editor)))
      }
    }
    return []
  }

  mutating func complete(by step: Int) -> Effects {
    if newRow != nil { return moveInNewRow(by: step) }
    guard case .prompt(var prompt) = overlay else { return [] }
    if let effects = prompt.purpose.completed(in: &self) { return effects }
    // Tab may come before the completions do.
    if prompt.offering != nil, prompt.suggestion == nil,
      prompt.suggestions.isEmpty || prompt.isAtArgument && !prompt.completesArguments
    {
      prompt.awaitedStep = step
      overlay = .prompt(prompt)
      return []
    }
    prompt.complete(by: step)
    let isOpen = !prompt.purpose.isChoice || prompt.completesArguments
    let isOnly = isOpen && prompt.acceptOnlySuggestion()
    overlay = .prompt(prompt)
    let effects = prompt.purpose.preview(prompt, in: &self)
    return effects + (isOnly ? requestCompletions() : [])
  }

  mutating func changeType() -> Effects {
    if newRow != nil { return changeTypeInNewRow() }
    guard case .editor(var editor) = overlay, editor.saving == nil else { return [] }
    let store = shownStore(editor.store)
    let types = store?.kind.types ?? []
    let takesNull = store.map { canBeNull(editor.part, in: $0) } ?? true
    let isChanged = editor.changeType(
      among: (editor.isMember ? value?.memberTypes ?? types : types)
        .filter { $0 != .null || takesNull },
      newForms: editor.isMember ? [:] : store?.kind.newForms ?? [:])
    overlay = .editor(editor)
    guard isChanged else {
      say(Messages.notText(editor.type.rawValue), .warning)
      return []
    }
    message = nil
    return scheduleAutosave()
  }
}

extension TextEdit {
  /// The edit for a single-line prompt, with spaces instead of line feeds in a paste.
  var onOneLine: TextEdit {
    guard case .insert(let text) = self else { return self }
    return .insert(String(text.map { $0.isNewline ? " " : $0 }))
  }
}
