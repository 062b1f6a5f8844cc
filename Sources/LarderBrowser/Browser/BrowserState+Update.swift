import LarderFormats
import LarderModel

extension BrowserState {
  /// Applies an action and returns the effects to carry out.
  package mutating func update(_ action: BrowserAction) -> [BrowserEffect] {
    let warnings = warningCount
    let effects = apply(action)
    switch action {
    case .command, .misplaced, .submit: noteRefusal(effects, warningsBefore: warnings)
    default: break
    }
    return effects + dropDraftOfClosedEditor() + startValueJob() + decodePicture()
  }

  private mutating func apply(_ action: BrowserAction) -> [BrowserEffect] {
    switch action {
    case .command(let id, let argument):
      message = nil
      // What is gone is shown while somebody looks around, and until they do something else.
      if Command.isMovement(id) { return perform(id, argument: argument) }
      let isAboutGone = isAboutGoneEntry(id)
      return dropRemoved() + (isAboutGone ? [] : perform(id, argument: argument))
    case .misplaced(let id):
      sayWhereItWorks(id)
      return []
    case .edit(let edit): return type(edit)
    case .submit: return submit()
    case .cancel: return leave()
    case .complete(let step): return complete(by: step)
    case .changeType: return changeType()
    case .recall(let step): return recall(by: step)
    case .handOver: return handOver(isSavedAfter: false)
    case .click(let focus, let row): return click(focus, row: row)
    case .scroll(let focus, let rows): return scroll(focus, rows: rows)
    case .drag(let divider, let column):
      dividers[divider] = column
      return []

    case .opened(let id, let result): return opened(id, result)
    case .storeOpened(let reference, let result): return storeOpened(reference, result)
    case .pageArrived(let reply): return pageArrived(reply)
    case .pageFailed(let token, let error): return pageFailed(token: token, error)
    case .pageProgressed(let token, let examined):
      return pageProgressed(token: token, examined: examined)
    case .entryRead(let token, let result): return entryRead(token: token, result)
    case .insideRead(let token, let model): return insideRead(token: token, model)
    case .typedChecked(let token, let problem): return typedChecked(token: token, problem)
    case .valueWorked(let token, let model, let finding):
      return valueWorked(token: token, model, finding)
    case .pictureDecoded(let token, let picture):
      if value?.token == token { value?.receive(picture) }
      return []
    case .counted(let token, let count, let isExact):
      return counted(token: token, count: count, isExact: isExact)
    case .branchesCounted(let token, let sizes, let isLast):
      return branchesCounted(token: token, sizes, isLast: isLast)
    case .branchProgressed(let token, let branch, let examined):
      return branchProgressed(token: token, branch, examined: examined)
    case .keyChecked(let token, let result): return keyChecked(token: token, result)
    case .wrote(let token, let result): return wrote(token: token, result)
    case .deleted(let token, let key, let error): return deleted(token: token, key, error)
    case .renamed(let token, let result): return renamed(token: token, result)
    case .prefixMatched(let token, let result): return prefixMatched(token: token, result)
    case .prefixDeleted(let token, let result): return prefixDeleted(token: token, result)
    case .markedRead(let token, let result): return markedRead(token: token, result)
    case .expirySet(let token, let result): return expirySet(token: token, result)
    case .timeTold(let date, let isWaited): return timeTold(date, isWaited: isWaited)
    case .markedRenamed(let token, let result): return markedRenamed(token: token, result)
    case .keysListed(let token, let result): return keysListed(token: token, result)
    case .textTaken(let token, let result): return textTaken(token: token, result)
    case .compared(let token, let result): return compared(token: token, result)
    case .transferred(let token, let result): return transferred(token: token, result)
    case .markedDeleted(let token, let result): return markedDeleted(token: token, result)
    case .worked(let report): return worked(report)
    case .replayed(let token, let reference, let result, let refused):
      return replayed(token: token, reference, result, refused: refused)
    case .broughtBack(let token, let error): return broughtBack(token: token, error)
    case .watchBegan(let token, let extent, let limitation):
      return watchBegan(token: token, extent, limitation)
    case .othersChanged(let report): return othersChanged(report)
    case .watchEnded(let token, let error): return watchEnded(token: token, error)
    case .watchPaused(let token, let error): return watchPaused(token: token, error)
    case .cacheInspected(let reference, let statuses, let now):
      return cacheInspected(reference, statuses, now: now)
    case .themeChanged(let name, let warnings):
      theme = name
      if let warning = warnings.first { say(warning, .warning) }
      return []
    case .copyFailed(let text):
      withdrawMessage()
      say(text, .error)
      return []
    case .copied(let isSecret):
      hasSecretCopy = isSecret
      return isSecret ? [.waitToForgetCopy] : []
    case .failed(let text):
      say(text, .error)
      return []
    case .remarked(let text):
      // After that the change is made, which was said just now: both are one message.
      let said = message?.text
      withdrawMessage()
      say([said, text].compactMap { $0 }.joined(separator: "; "), .warning)
      return []
    case .warned(let text):
      say(text, .warning)
      return []
    case .notice(let text):
      say(text)
      return []

    case .draftKept(let token, let problem):
      keptDraft(token: token, problem)
      return []
    case .draftsFound(let reference, let drafts): return draftsFound(reference, drafts)

    case .bookmarksFound(let reference, let bookmarks):
      return bookmarksFound(reference, bookmarks)
    case .offered(let token, let offers): return offered(token: token, offers)
    case .editedOutside(let token, let outcome): return editedOutside(token: token, outcome)

    case .timeToKeep(let date): return momentPassed(at: date)
    case .secretTaken(let token, let result): return secretTaken(token: token, result)
    case .timeToConceal(let token): return conceal(token: token)
    case .timeToForgetCopy: return forgetCopy()
    case .cacheChanged(let token, let result): return cacheChanged(token: token, result)
    case .followDue(let token): return lookAgain(token: token)
    case .followed(let look): return followed(look)
    case .timesSummed(let token, let result): return timesSummed(token: token, result)
    case .storeLeft(let token, let reason): return storeLeft(token: token, reason)
    case .storeReturned(let token, let location, let store):
      return storeReturned(token: token, location, store)
    case .ticked(let now): return ticked(now: now)
    case .viewportChanged(let viewport): return viewportChanged(viewport)
    }
  }

  /// Runs a command by its name, or says why it cannot be run now.
  private mutating func perform(_ id: String, argument: String) -> [BrowserEffect] {
    guard let command = Command.named(id) else {
      say(Command.missing(id), .error)
      return []
    }
    if let reason = command.unavailable(self) {
      say("\(command.title): \(reason)", .warning)
      return []
    }
    if takesAnswerToLostMarks(id) { return [] }
    guard let marks = endRange(for: id) else { return [] }
    return marks + command.run(&self, argument)
  }

  /// Says why a key does nothing in the pane that has the keys.
  private mutating func sayWhereItWorks(_ id: String) {
    guard let command = Command.named(id) else { return }
    if let reason = Command.needsStore(self) {
      return say("\(command.title): \(reason)", .warning)
    }
    let names: [(Command.Place, String)] = [
      (.keys, "in the list of keys"), (.value, "on the value"), (.stores, "in the list of stores"),
    ]
    let places = names.filter { command.places.contains($0.0) }.map(\.1)
    let isBack = focus == .value
    say(
      "\(command.title): works \(places.joined(separator: " and ")); "
        + "\(bindings.call(isBack ? "back" : "next-pane")) goes there", .warning)
  }

  private mutating func viewportChanged(_ new: Viewport) -> [BrowserEffect] {
    viewport = new
    value?.fit(new.valueWidth, height: new.value)
    stores.cursor.reveal(count: stores.rows.count, height: new.stores)
    if let count = keys?.window.entries.count {
      keys?.cursor.reveal(count: count, height: new.keys)
    }
    revealValue()
    return loadNeeded() + countBranches()
  }

  /// Scrolls what there is to be read over the panes, no further than to its ends.
  ///
  /// - Returns: Whether there is something to be read.
  mutating func scrollPage(by rows: Int) -> Bool {
    let moved = { [limit = viewport.help] scroll in max(0, min(scroll + rows, limit)) }
    switch overlay {
    case .help(let scroll): overlay = .help(scroll: moved(scroll))
    case .messages(let scroll): overlay = .messages(scroll: moved(scroll))
    default: return false
    }
    return true
  }

  /// Scrolls what is compared, no further than to its ends.
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

  private mutating func click(_ pane: Focus, row: Int) -> [BrowserEffect] {
    guard overlay == nil else { return [] }
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
      guard isRow, keys?.selectedBranch != nil, keys?.load?.replacement == nil else {
        return effects
      }
      return effects + toggleBranch()
    case .value:
      value?.select(row: row, height: viewport.value)
      return []
    }
  }

  private mutating func scroll(_ pane: Focus, rows: Int) -> [BrowserEffect] {
    if scrollPage(by: rows) { return [] }
    scrollComparison(by: rows)
    guard overlay == nil else { return [] }
    switch pane {
    case .stores:
      stores.cursor.scroll(by: rows, count: stores.rows.count, height: viewport.stores)
      return []
    case .keys:
      guard let model = keys else { return [] }
      let before = model.selected?.key
      keys?.cursor.scroll(by: rows, count: model.window.entries.count, height: viewport.keys)
      return (keys?.selected?.key == before ? [] : readSelected()) + loadNeeded()
    case .value:
      value?.scroll(by: rows, height: viewport.value)
      return []
    }
  }
}
