import LarderFormats
import LarderModel

extension BrowserState {
  /// Applies an action and returns the effects to carry out.
  package mutating func update(_ action: BrowserAction) -> Effects {
    let warnings = messages.warningCount
    let number = typedNumber
    let effects = apply(action)
    switch action {
    case .command, .misplaced, .submit:
      noteRefusal(effects, warningsBefore: warnings)
      // In `42gg`, the second `g` belongs to the same command.
      typedNumber = number?.isUsed == false && typedNumber?.isUsed == true ? typedNumber : nil
    case .cancel, .click: typedNumber = nil
    default: break
    }
    return effects + dropDraftOfClosedEditor() + startValueJob() + decodePicture() + readRows()
      + countCollections()
  }

  private mutating func apply(_ action: BrowserAction) -> Effects {
    switch action {
    case .command(let id, let argument):
      message = nil
      if Command.takesCount(id, in: self) { takeDigitAsCount() }
      // A removed entry stays visible while the user looks around, until another command.
      if Command.isMovement(id) { return perform(id, argument: argument) }
      let concernsDeleted = concernsDeletedEntry(id)
      return dropRemoved() + (concernsDeleted ? [] : perform(id, argument: argument))
    case .misplaced(let id):
      sayWhereItWorks(id)
      return []
    case .digit(let digit): return typeDigit(digit)
    case .edit(let edit): return type(edit)
    case .submit: return submit()
    case .cancel: return leave()
    case .complete(let step): return complete(by: step)
    case .changeType: return changeType()
    case .makeNull: return makeNull()
    case .recall(let step): return recall(by: step)
    case .handOver: return handOver(isSavedAfter: false)
    case .click(let focus, let row, let column):
      return click(focus, row: row, column: column)
    case .scroll(let focus, let rows): return scroll(focus, rows: rows)
    case .drag(let divider, let column):
      dividers[divider] = column
      return []

    case .reply(let reply): return reply.apply(to: &self)
    case .worked(let report): return worked(report)
    case .themeChanged(let name, let warnings):
      themes.shown = name
      if let warning = warnings.first { say(warning, .warning) }
      return []
    case .copyFailed(let text):
      withdrawMessage()
      say(text, .error)
      return []
    case .copied(let isSecret):
      secrets.hasCopy = isSecret
      return isSecret ? [WaitToForgetCopy()] : []
    case .warned(let text):
      // The write reported success just before, so both become one message.
      let said = message?.text
      withdrawMessage()
      say([said, text].compactMap { $0 }.joined(separator: "; "), .warning)
      return []
    case .notice(let text, let kind):
      say(text, kind)
      return []
    case .viewportChanged(let viewport): return viewportChanged(viewport)
    }
  }

  /// Saves or runs what was typed in the overlay.
  mutating func submit() -> Effects {
    switch overlay {
    case .editor(let editor):
      guard editor.isNew || editor.isChanged else {
        overlay = nil
        say(Messages.unchanged(subject(of: editor)))
        return []
      }
      return save(editor)
    case .prompt(let prompt):
      remember(prompt)
      return prompt.purpose.submit(prompt, in: &self)
    case .newRow: return saveNewRow()
    case .help:
      help?.isTyping = false
      return []
    default: return []
    }
  }

  /// Runs a command by name, or reports why it is not available.
  private mutating func perform(_ id: String, argument: String) -> Effects {
    guard let command = Command.named(id) else {
      say(Command.missing(id), .error)
      return []
    }
    if let reason = command.unavailable(self) {
      say("\(command.title): \(reason)", .warning)
      return []
    }
    closeDetails(for: command)
    if takesAnswerToLostMarks(id) { return [] }
    guard let marks = endRange(for: id) else { return [] }
    return marks + command.run(&self, argument)
  }

  /// Reports why a key has no effect in the focused pane.
  private mutating func sayWhereItWorks(_ id: String) {
    guard let command = Command.named(id) else { return }
    if let reason = Command.needsStore(self) {
      return say("\(command.title): \(reason)", .warning)
    }
    let names: [(Command.Place, String)] = [
      (.keys, Messages.inKeys), (.value, Messages.onValue), (.stores, Messages.inStores),
    ]
    let places = names.filter { command.places.contains($0.0) }.map(\.1)
    let isBack = focus == .value
    say(
      Messages.worksElsewhere(
        command.title, places, focus: settings.bindings.call(isBack ? "back" : "next-pane")),
      .warning)
  }

  private mutating func viewportChanged(_ new: Viewport) -> Effects {
    viewport = new
    value?.fit(new.valueWidth, height: new.value)
    stores.cursor.reveal(count: stores.rows.count, height: new.stores)
    if let count = keys?.window.entries.count {
      keys?.cursor.reveal(count: count, height: new.keys)
    }
    revealValue()
    return scrollOverlay(by: 0) + loadNeeded() + countBranches()
  }

  /// Scrolls the text in an overlay within its range.
  ///
  /// - Returns: Whether there is such an overlay.
  mutating func scrollPage(by rows: Int) -> Bool {
    let moved = { [limit = viewport.help] scroll in
      max(0, min(min(scroll, limit).saturatingAdding(rows), limit))
    }
    switch overlay {
    case .help(var model):
      model.scroll = moved(scroll(of: model))
      overlay = .help(model)
    case .messages(let scroll): overlay = .messages(scroll: moved(scroll))
    case .details(var details):
      details.scroll = moved(details.scroll)
      overlay = .details(details)
    default: return false
    }
    return true
  }

  /// Scrolls a comparison within its range.
  mutating func scrollComparison(by rows: Int) {
    let range = viewport.comparison
    let moved = { (scroll: Int?) in
      min(max(0, min(scroll ?? range.start, range.end).saturatingAdding(rows)), range.end)
    }
    switch overlay {
    case .conflict(var conflict):
      conflict.scroll = moved(conflict.scroll)
      overlay = .conflict(conflict)
    case .comparison(var model):
      model.scroll = moved(model.scroll)
      overlay = .comparison(model)
    default: break
    }
  }

  private mutating func click(_ pane: Focus, row: Int, column: String?) -> Effects {
    guard overlay == nil else { return selectInOverlay(row) }
    focus = pane
    switch pane {
    case .stores:
      guard stores.rows.indices.contains(row) else { return [] }
      stores.cursor.select(row, count: stores.rows.count, height: viewport.stores)
      message = nil
      return openSelectedStore()
    case .keys:
      let isRow = keys?.window.entries.indices.contains(row) == true
      let effects = moveKeys(to: row)
      if isRow { keys?.grid?.selected = column }
      guard isRow, keys?.selectedBranch != nil, keys?.load?.replacement == nil else {
        return effects
      }
      return effects + toggleBranch()
    case .value:
      tab.value?.select(row: row, height: viewport.value)
      return []
    }
  }

  private mutating func scroll(_ pane: Focus, rows: Int) -> Effects {
    if scrollPage(by: rows) { return [] }
    scrollComparison(by: rows)
    guard overlay == nil else { return scrollOverlay(by: rows) }
    switch pane {
    case .stores:
      stores.cursor.scroll(by: rows, count: stores.rows.count, height: viewport.stores)
      return []
    case .keys:
      guard let model = keys else { return [] }
      let before = model.selected?.key
      tab.keys?.cursor.scroll(by: rows, count: model.window.entries.count, height: viewport.keys)
      return (keys?.selected?.key == before ? [] : readSelected()) + loadNeeded()
    case .value:
      tab.value?.scroll(by: rows, height: viewport.value)
      return []
    }
  }
}
