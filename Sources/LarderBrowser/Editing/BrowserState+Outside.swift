import LarderFormats

extension BrowserState {
  /// Gives the selected value, or column, to the user's own editor, whose result is written.
  mutating func editSelectedOutside() -> Effects {
    let effects = editSelected()
    return effects + handOver(isSavedAfter: true)
  }

  /// Gives the text of the editor to another program.
  ///
  /// The editor stays below, so that nothing of what comes back is lost if it cannot be written.
  mutating func handOver(isSavedAfter: Bool) -> Effects {
    guard case .editor(var editor) = overlay, editor.saving == nil, editor.outside == nil else {
      return []
    }
    if editor.isSecret {
      say("a secret is not given to another program", .warning)
      return []
    }
    let key = ([editor.title] + editor.part.names).joined(separator: "-")
    let text = OutsideText(editor.buffer.text, key: key, isStoredForm: editor.isStoredForm)
    // Bytes are longer as text: what comes back has to be taken in, too.
    guard text.text.utf8.count <= EditorModel.maximumSize else {
      if isSavedAfter { overlay = nil }
      let advice =
        editor.part.isWhole ? "; larder get and larder put --file can take the value" : ""
      say("the text of \(editor.title) is too large for another editor\(advice)", .warning)
      return []
    }
    let ticket = ticket { $0.editor?.outside?.token }
    let draft = draftOutside(token: ticket.token)
    editor.draft = typed?.draft
    editor.outside = .init(token: ticket.token, text: text, isSavedAfter: isSavedAfter)
    overlay = .editor(editor)
    return [EditOutside(text: text, draft: draft, question: ticket)]
  }

  /// Takes in what the other program has left.
  mutating func editedOutside(_ outcome: OutsideOutcome) -> Effects {
    guard var editor, let outside = editor.outside else { return [] }
    defer {
      if let remark = outcome.remark {
        say([message?.text, remark].compactMap { $0 }.joined(separator: "; "), .warning)
      }
    }
    editor.outside = nil
    if let text = outcome.text { editor.replaceText(with: outside.text.taken(text)) }
    overlay = .editor(editor)
    if let problem = outcome.problem {
      if !editor.isChanged {
        overlay = nil
        // The terminal may be gone, and nobody may read this: the next run says it again.
        if outcome.isLeft { drafts.kept = nil }
      }
      say(problem, .error)
      return keepSoon()
    }
    guard outside.isSavedAfter else { return keepSoon() }
    guard editor.problem == nil else {
      say(
        "not written yet: Ctrl-X goes back to your editor"
          + (editor.canChangeType ? ", Ctrl-T changes the type" : "") + ", Esc twice drops it",
        .warning)
      return keepSoon()
    }
    return submit() + keepSoon()
  }
}
