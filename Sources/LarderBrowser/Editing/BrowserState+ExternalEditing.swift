import LarderFormats

extension BrowserState {
  /// Opens the selected value or column in the user's own editor and writes the result.
  mutating func editSelectedExternally() -> Effects {
    let effects = editSelected()
    return effects + handOver(isSavedAfter: true)
  }

  /// Opens the editor's text in an external program.
  ///
  /// The built-in editor stays open below, so that no text is lost if the result cannot be written.
  mutating func handOver(isSavedAfter: Bool) -> Effects {
    guard case .editor(var editor) = overlay, editor.saving == nil, editor.outside == nil else {
      return []
    }
    if editor.isSecret {
      say(Messages.externalSecret, .warning)
      return []
    }
    let key = ([editor.title] + editor.part.names).joined(separator: "-")
    let text = ExternalText(editor.buffer.text, key: key, isStoredForm: editor.isStoredForm)
    // Hex text is longer than the bytes, and the edited text must fit as well.
    guard text.text.utf8.count <= EditorModel.maximumSize else {
      if isSavedAfter { overlay = nil }
      say(
        Messages.tooLargeForEditor(editor.title, isWhole: editor.part.isWhole), .warning)
      return []
    }
    let ticket = ticket { $0.editor?.outside?.token }
    let draft = draftOfExternalEdit(token: ticket.token)
    editor.draft = typed?.draft
    editor.outside = .init(token: ticket.token, text: text, isSavedAfter: isSavedAfter)
    overlay = .editor(editor)
    return [EditExternally(text: text, draft: draft, question: ticket)]
  }

  /// Handles the result of the external editor.
  mutating func externalEditEnded(_ outcome: ExternalEditOutcome) -> Effects {
    guard var editor, let outside = editor.outside else { return [] }
    defer {
      if let warning = outcome.warning {
        say([message?.text, warning].compactMap { $0 }.joined(separator: "; "), .warning)
      }
    }
    editor.outside = nil
    if let text = outcome.text { editor.replaceText(with: outside.text.taken(text)) }
    overlay = .editor(editor)
    if let problem = outcome.problem {
      if !editor.isChanged {
        overlay = nil
        // If the terminal is gone, this message goes unread; the next session shows it again.
        if outcome.isLeft { drafts.kept = nil }
      }
      say(problem, .error)
      return scheduleAutosave()
    }
    guard outside.isSavedAfter else { return scheduleAutosave() }
    guard editor.problem == nil else {
      say(Messages.notWritten(canChangeType: editor.canChangeType), .warning)
      return scheduleAutosave()
    }
    return submit() + scheduleAutosave()
  }
}
