import LarderModel
package import Foundation

extension BrowserState {
  /// The editor with what is typed, also behind the question what becomes of a conflict.
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

  /// Keeps what is typed after a pause: not each letter is written to the disk.
  mutating func keepSoon() -> Effects {
    guard drafts.session != nil, typed?.isSecret != true else { return [] }
    drafts.edits += 1
    guard !drafts.isWaiting else { return [] }
    drafts.moments = 0
    return waitToKeep()
  }

  /// How long a pause is after which what was typed is kept.
  package static let momentToKeep = Duration.milliseconds(100)
  /// After how many moments it is kept although the user goes on typing.
  package static let maximumMoments = 10

  private mutating func waitToKeep() -> Effects {
    drafts.isWaiting = true
    drafts.editsBefore = drafts.edits
    return [WaitToKeep()]
  }

  /// Keeps what is typed where nothing was typed for a moment, or nothing was kept for a while.
  mutating func momentPassed(at date: Date) -> Effects {
    drafts.moments += 1
    // One text after the other: what is slow to write must not pile up.
    if drafts.keeping != nil { return waitToKeep() }
    let isTyping = drafts.edits != drafts.editsBefore
    let isLong = typed.map { $0.buffer.count > EditorModel.maximumQuickCount } ?? false
    if isTyping || isLong, drafts.moments < Self.maximumMoments { return waitToKeep() }
    return keepTyped(at: date)
  }

  /// Keeps what is typed, unless it is kept already.
  package mutating func keepTyped(at date: Date) -> Effects {
    drafts.isWaiting = false
    guard let session = drafts.session, let store = typedStore, let place = place(of: store)
    else { return [] }
    let token = newToken()
    let id = draftID ?? DraftKeeper.id(token, of: session)
    let value = typed?.draft(id, at: place, date: date)
    let draft =
      value ?? typedName(id, at: place, date: date) ?? draftOfNewRow(id, at: place, date: date)
    guard let draft else { return dropKept() }
    guard drafts.problem != nil || drafts.kept?.hasContent(of: draft) != true else { return [] }
    return keep(draft, token: token)
  }

  /// The store that what is typed is for, where it is to be kept.
  private var typedStore: StoreReference? {
    // What is kept of a text that another program has names its file.
    if let editor = typed { return editor.isSecret || editor.outside != nil ? nil : editor.store }
    return newRow?.store ?? (typedNameLine == nil ? nil : keys?.store.reference)
  }

  /// Under which id what is typed is kept.
  private var draftID: String? {
    get { typed?.draft ?? typedNameLine?.draft ?? newRow?.draft }
    set {
      typed?.draft = newValue
      newRow?.draft = newValue
      typedNameLine?.draft = newValue
    }
  }

  /// The draft of a text that another program is about to have, which is kept with its file.
  mutating func draftOutside(token: Int) -> Draft? {
    guard let session = drafts.session, let editor = typed, let place = place(of: editor.store)
    else { return nil }
    let id = editor.draft ?? DraftKeeper.id(token, of: session)
    let draft = editor.draft(id, at: place, date: .distantPast, isOutside: true)
    typed?.draft = id
    drafts.kept = draft
    drafts.token = token
    return draft
  }

  /// Keeps a draft of the editor on screen, in the place of an older one.
  private mutating func keep(
    _ draft: Draft, replacing old: Draft? = nil, token: Int
  ) -> Effects {
    draftID = draft.id
    drafts.kept = draft
    drafts.token = token
    drafts.keeping = token
    return [KeepDraft(draft: draft, old: old, token: token)]
  }

  /// Takes in whether a draft could be kept.
  mutating func keptDraft(token: Int, _ problem: String?) {
    if drafts.keeping == token { drafts.keeping = nil }
    guard drafts.token == token else { return }
    drafts.problem = problem
    if let problem { say("what you type is lost if larder ends: \(problem)", .error) }
  }

  /// Forgets the draft of an editor that is gone: its text was written, or dropped by the user.
  mutating func dropDraftOfClosedEditor() -> Effects {
    drafts.kept?.id == draftID ? [] : dropKept()
  }

  /// Forgets what is kept, as nothing is left of it on the screen.
  private mutating func dropKept() -> Effects {
    guard let kept = drafts.kept else { return [] }
    drafts.kept = nil
    drafts.problem = nil
    draftID = nil
    return [DropDraft(id: kept.id)]
  }

  /// Looks for what earlier runs have left of a store.
  func findDrafts(of store: StoreSummary) -> Effects {
    guard drafts.session != nil, store.isWritable, let place = place(of: store.reference) else {
      return []
    }
    return [FindDrafts(store: store.reference, place: place)]
  }

  /// Says what earlier runs have left of the store on screen, and of others in the same location.
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

  /// What an editor has left that is not in the draft, as a sentence.
  private func rest(of draft: Draft) -> String? {
    guard let file = draft.outside, file.found == nil else { return nil }
    return "what your editor left of \(draft.title) is kept in \(file.folder)"
  }

  /// What was left of the store on screen, and how to go on with it; nil for nothing.
  private func text(of own: [Draft]) -> String? {
    guard let latest = own.first else { return nil }
    let key = settings.bindings.call("recover")
    guard own.count > 1 else {
      return rest(of: latest).map { "\($0); \(key) restores it" }
        ?? "what you typed for \(latest.subject) before larder ended is saved: \(key) restores it"
    }
    return
      "what you typed for \(latest.subject) and \(own.count - 1) more before larder ended is kept: "
      + "\(key) restores the latest"
  }

  /// In which other stores of the location something was left; nil for none.
  private func text(ofOthers others: [Draft]) -> String? {
    guard !others.isEmpty else { return nil }
    var counts: [(name: String, count: Int)] = []
    for draft in others {
      let name = draft.place.collection ?? "the whole file"
      if let place = counts.firstIndex(where: { $0.name.hasBytes(of: name) }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    let names = counts.prefix(3).map { $0.count == 1 ? $0.name : "\($0.name) (\($0.count))" }
    let more = counts.count > names.count ? ", …" : ""
    return "what you typed in \(names.joined(separator: ", "))\(more) is kept, too: "
      + "\(settings.bindings.call("recover")) there restores it"
  }

  /// What was left of the store on screen.
  private var leftHere: [Draft] { keys.flatMap { drafts.left[$0.store.reference] } ?? [] }

  /// Opens the editor with the latest text that an earlier run has left.
  mutating func recover() -> Effects {
    guard let store = keys?.store, let session = drafts.session, let old = leftHere.first else {
      return []
    }
    drafts.left[store.reference]?.removeFirst()
    let token = newToken()
    var draft = old
    draft.id = DraftKeeper.id(token, of: session)
    draft.outside = nil
    let list = resumeDraft(old, in: store)
    let more =
      (rest(of: old).map { "; \($0)" } ?? "")
      + (leftHere.isEmpty ? "" : "; then \(leftHere.count) more")
    let seconds = old.date.timeIntervalSinceReferenceDate.rounded(.down)
    let date = Timestamp.text(of: Date(timeIntervalSinceReferenceDate: seconds))
    // A line says itself what its keys do, and stands where a message would.
    if let editor = typed {
      say(
        "typed \(date) and not saved as larder ended: \(editor.savingKey) saves it, Esc "
          + "twice drops it\(more)", .warning)
    }
    return list + keep(draft, replacing: old, token: token)
  }

  /// Opens the editor, or the line, for what was typed in a run that is over.
  private mutating func resumeDraft(_ draft: Draft, in store: StoreSummary) -> Effects {
    if let line = draft.line { return resumeName(line, draft) }
    overlay = .editor(
      EditorModel(
        store: store.reference, draft: draft, keepsDigits: store.kind.keepsDigits))
    // The list goes to the entry; a new one is nowhere yet.
    let list = draft.base == nil ? [] : goToAnyKey(draft.key)
    keys?.wanted = nil
    return list
  }

  /// Why there is nothing to go on with.
  func needsDraft() -> String? {
    if drafts.session == nil { return "nothing that is typed is kept with --no-journal" }
    return leftHere.isEmpty ? "nothing was left unsaved in this store" : nil
  }

  /// A store as the drafts name it.
  func place(of reference: StoreReference) -> StoreLocation? {
    guard let summary = stores.item(reference.location)?.summary.value,
      // What is over with the program has no later start.
      summary.kind.isLasting
    else { return nil }
    return StoreLocation(
      path: summary.resolvedPath ?? summary.location.path, collection: reference.collection)
  }
}
