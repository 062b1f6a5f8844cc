import LarderModel
package import Foundation

extension BrowserState {
  /// The editor of a value, even while the question about its conflict covers it.
  package private(set) var typed: EditorModel? {
    get {
      switch overlay {
      case .editor(let editor): return editor
      case .conflict(let conflict):
        if case .write(let editor) = conflict.attempt { return editor }
        return nil
      default: return nil
      }
    }
    set {
      guard let newValue else { return }
      switch overlay {
      case .editor: overlay = .editor(newValue)
      case .conflict(var conflict):
        guard case .write = conflict.attempt else { return }
        conflict.attempt = .write(newValue)
        overlay = .conflict(conflict)
      default: break
      }
    }
  }

  /// Schedules an autosave, which waits for a pause in typing instead of writing each keystroke.
  mutating func scheduleAutosave() -> Effects {
    guard drafts.session != nil, typed?.isSecret != true else { return [] }
    drafts.edits += 1
    guard !drafts.isWaiting else { return [] }
    drafts.moments = 0
    return waitToAutosave()
  }

  /// The interval of the autosave timer.
  package static let autosaveInterval = Duration.milliseconds(100)
  /// The number of intervals after which a draft is saved even if the user is still typing.
  package static let maximumAutosaveDelays = 10

  private mutating func waitToAutosave() -> Effects {
    drafts.isWaiting = true
    drafts.editsBefore = drafts.edits
    return [WaitToAutosave()]
  }

  /// Saves the draft if there was a pause in typing, or if it has not been saved for a while.
  mutating func autosaveDue(at date: Date) -> Effects {
    drafts.moments += 1
    // Wait for the previous write, so that slow writes do not pile up.
    if drafts.keeping != nil { return waitToAutosave() }
    let isTyping = drafts.edits != drafts.editsBefore
    let isLong = typed.map { $0.buffer.count > EditorModel.maximumQuickCount } ?? false
    if isTyping || isLong, drafts.moments < Self.maximumAutosaveDelays { return waitToAutosave() }
    return autosaveDraft(at: date)
  }

  /// Saves a draft of the typed text, unless it is already saved.
  package mutating func autosaveDraft(at date: Date) -> Effects {
    drafts.isWaiting = false
    guard let session = drafts.session, let store = typedStore, let place = place(of: store)
    else { return [] }
    let token = newToken()
    let id = draftID ?? DraftStorage.id(token, of: session)
    let value = typed?.draft(id, at: place, date: date)
    let draft =
      value ?? typedName(id, at: place, date: date) ?? draftOfNewRow(id, at: place, date: date)
    guard let draft else { return deleteSavedDraft() }
    guard drafts.problem != nil || drafts.kept?.hasContent(of: draft) != true else { return [] }
    return keep(draft, token: token)
  }

  /// The store that the typed text is for, or `nil` if no draft is to be saved.
  private var typedStore: StoreReference? {
    // The draft of text in an external editor names its file, and must not be replaced.
    if let editor = typed { return editor.isSecret || editor.outside != nil ? nil : editor.store }
    return newRow?.store ?? (typedNameLine == nil ? nil : keys?.store.reference)
  }

  /// The id of the draft of the typed text.
  private var draftID: String? {
    get { typed?.draft ?? typedNameLine?.draft ?? newRow?.draft }
    set {
      typed?.draft = newValue
      newRow?.draft = newValue
      typedNameLine?.draft = newValue
    }
  }

  /// Returns the draft of text that is about to be opened in an external editor, which is stored
  /// with the path of its file.
  mutating func draftOfExternalEdit(token: Int) -> Draft? {
    guard let session = drafts.session, let editor = typed, let place = place(of: editor.store)
    else { return nil }
    let id = editor.draft ?? DraftStorage.id(token, of: session)
    let draft = editor.draft(id, at: place, date: .distantPast, isOutside: true)
    typed?.draft = id
    drafts.kept = draft
    drafts.token = token
    return draft
  }

  /// Saves the draft of the editor on screen, optionally replacing an older one.
  private mutating func keep(
    _ draft: Draft, replacing old: Draft? = nil, token: Int
  ) -> Effects {
    draftID = draft.id
    drafts.kept = draft
    drafts.token = token
    drafts.keeping = token
    return [SaveDraft(draft: draft, old: old, token: token)]
  }

  /// Handles the result of saving a draft.
  mutating func draftSaved(token: Int, _ problem: String?) {
    if drafts.keeping == token { drafts.keeping = nil }
    guard drafts.token == token else { return }
    drafts.problem = problem
    if let problem { say(Messages.draftsNotSaved(problem), .error) }
  }

  /// Deletes the draft of a closed editor, whose text was either written or discarded by the user.
  mutating func dropDraftOfClosedEditor() -> Effects {
    drafts.kept?.id == draftID ? [] : deleteSavedDraft()
  }

  /// Deletes the saved draft, because its text is no longer on screen.
  private mutating func deleteSavedDraft() -> Effects {
    guard let kept = drafts.kept else { return [] }
    drafts.kept = nil
    drafts.problem = nil
    draftID = nil
    return [DeleteDraft(id: kept.id)]
  }

  /// Starts looking for drafts of a store from earlier runs.
  func findDrafts(of store: StoreSummary) -> Effects {
    guard drafts.session != nil, store.isWritable, let place = place(of: store.reference) else {
      return []
    }
    return [FindDrafts(store: store.reference, place: place)]
  }

  /// Reports drafts from earlier runs for the store on screen and for others in the same location.
  mutating func draftsFound(
    _ reference: StoreReference, _ left: [Draft]
  ) -> Effects {
    guard keys?.store.reference == reference, let place = place(of: reference) else { return [] }
    let own = left.filter { $0.belongs(to: place) }
    drafts.left[reference] = own
    let isToldOfOthers = !drafts.toldLocations.insert(reference.location).inserted
    let others = isToldOfOthers ? [] : left.filter { !$0.belongs(to: place) }
    let sentences = [text(of: own), text(ofOthers: others)].compactMap { $0 }
    if !sentences.isEmpty { say(sentences.joined(separator: "; "), .warning) }
    return []
  }

  /// Returns a message about text of an external editor that is not part of the draft.
  private func rest(of draft: Draft) -> String? {
    guard let file = draft.outside, file.found == nil else { return nil }
    return Messages.editorText(draft.title, in: file.folder)
  }

  /// Returns a message about drafts for the store on screen and how to recover them, or `nil` if
  /// there are none.
  private func text(of own: [Draft]) -> String? {
    guard let latest = own.first else { return nil }
    let key = settings.bindings.call("recover")
    guard own.count > 1 else {
      return rest(of: latest).map { Messages.restores($0, recover: key) }
        ?? Messages.draft(latest.subject, recover: key)
    }
    return Messages.drafts(latest.subject, others: own.count - 1, recover: key)
  }

  /// Returns a message about drafts for other stores of the location, or `nil` if there are none.
  private func text(ofOthers others: [Draft]) -> String? {
    guard !others.isEmpty else { return nil }
    var counts: [(name: String, count: Int)] = []
    for draft in others {
      let name = draft.place.collection ?? Messages.wholeFile
      if let place = counts.firstIndex(where: { $0.name.hasBytes(of: name) }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    let names = counts.prefix(3).map { $0.count == 1 ? $0.name : "\($0.name) (\($0.count))" }
    return Messages.draftsElsewhere(
      names, hasMore: counts.count > names.count, recover: settings.bindings.call("recover"))
  }

  /// The drafts from earlier runs for the store on screen.
  private var leftHere: [Draft] { keys.flatMap { drafts.left[$0.store.reference] } ?? [] }

  /// Opens the editor with the latest draft from an earlier run.
  mutating func recover() -> Effects {
    guard let store = keys?.store, let session = drafts.session, let old = leftHere.first else {
      return []
    }
    drafts.left[store.reference]?.removeFirst()
    let token = newToken()
    var draft = old
    draft.id = DraftStorage.id(token, of: session)
    draft.outside = nil
    let list = resumeDraft(old, in: store)
    let seconds = old.date.timeIntervalSinceReferenceDate.rounded(.down)
    // A prompt has its own hints, which are displayed in place of messages.
    if let editor = typed {
      say(
        Messages.recovered(
          Date(timeIntervalSinceReferenceDate: seconds), others: leftHere.count,
          save: editor.savingKey, rest(of: old)),
        .warning)
    }
    return list + keep(draft, replacing: old, token: token)
  }

  /// Opens the editor or prompt with a draft from an earlier run.
  private mutating func resumeDraft(_ draft: Draft, in store: StoreSummary) -> Effects {
    if let line = draft.line { return resumeName(line, draft) }
    overlay = .editor(
      EditorModel(
        store: store.reference, draft: draft, keepsDigits: store.kind.keepsDigits))
    // A new entry is not in the list yet.
    let list = draft.base == nil ? [] : goToAnyKey(draft.key)
    keys?.wanted = nil
    return list
  }

  /// Returns the reason why there is no draft to recover, or `nil` if there is one.
  func needsDraft() -> String? {
    if drafts.session == nil { return Messages.noDrafts }
    return leftHere.isEmpty ? Messages.noDraft : nil
  }

  /// Returns the location that identifies a store in drafts, or `nil` if the store does not outlive
  /// the program.
  func place(of reference: StoreReference) -> StoreLocation? {
    guard let summary = stores.item(reference.location)?.summary.value,
      // A store that ends with the program cannot be opened in a later run.
      summary.kind.isPersistent
    else { return nil }
    return StoreLocation(
      path: summary.resolvedPath ?? summary.location.path, collection: reference.collection)
  }
}
