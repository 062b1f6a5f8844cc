package import Foundation

/// What is kept of the text that is typed, for the case that the program ends before it is written.
package struct DraftsModel: Sendable, Equatable {
  /// What the ids of drafts begin with; nil where nothing is kept.
  package let session: String?
  /// Whether a moment is waited for at which to keep what is typed.
  package var isWaiting = false
  /// The draft that is kept of the editor on screen.
  package internal(set) var kept: Draft?
  /// The token of the latest text.
  var token: Int?
  /// Why the latest text could not be kept; an earlier one may be.
  package internal(set) var problem: String?
  /// What earlier runs have left of the store on screen, the latest first.
  var left: [Draft] = []

  package init(session: String?) {
    self.session = session
  }
}

extension BrowserState {
  /// The editor with what is typed, also behind the question what becomes of a conflict.
  package var typed: EditorModel? {
    switch overlay {
    case .editor(let editor): return editor
    case .conflict(let conflict):
      if case .write(let editor) = conflict.attempt { return editor }
      return nil
    default: return nil
    }
  }

  /// Keeps what is typed in a moment: not each letter is written to the disk.
  mutating func keepSoon() -> [BrowserEffect] {
    guard drafts.session != nil, !drafts.isWaiting else { return [] }
    drafts.isWaiting = true
    return [.waitToKeep]
  }

  /// Keeps what is typed, unless it is kept already.
  package mutating func keepTyped(at date: Date) -> [BrowserEffect] {
    drafts.isWaiting = false
    guard let session = drafts.session, let editor = typed, let place = place(of: editor.store)
    else { return [] }
    let token = newToken()
    let id = editor.draft ?? DraftKeeper.id(token, of: session)
    guard let draft = editor.draft(id, at: place, date: date) else { return dropKept() }
    guard
      drafts.problem != nil || drafts.kept?.hasContent(of: draft) != true
    else { return [] }
    name(id)
    drafts.kept = draft
    drafts.token = token
    return [.keepDraft(draft, token: token)]
  }

  /// Takes in whether a draft could be kept.
  mutating func keptDraft(token: Int, _ problem: String?) {
    guard drafts.token == token else { return }
    drafts.problem = problem
    if let problem { say("what you type is lost if larder ends: \(problem)", .error) }
  }

  /// Notes the id of the draft in the editor.
  private mutating func name(_ id: String?) {
    switch overlay {
    case .editor(var editor):
      editor.draft = id
      overlay = .editor(editor)
    case .conflict(let conflict):
      guard case .write(var editor) = conflict.attempt else { return }
      editor.draft = id
      var named = ConflictModel(attempt: .write(editor), theirs: conflict.theirs)
      named.scroll = conflict.scroll
      overlay = .conflict(named)
    default: break
    }
  }

  /// Forgets the draft of an editor that is gone: its text was written, or dropped by the person.
  mutating func dropDraftOfClosedEditor() -> [BrowserEffect] {
    drafts.kept?.id == typed?.draft ? [] : dropKept()
  }

  /// Forgets what is kept, as nothing is left of it on the screen.
  private mutating func dropKept() -> [BrowserEffect] {
    guard let kept = drafts.kept else { return [] }
    drafts.kept = nil
    drafts.problem = nil
    name(nil)
    return [.dropDraft(kept.id)]
  }

  /// Looks for what earlier runs have left of a store.
  func findDrafts(of store: StoreSummary) -> [BrowserEffect] {
    guard drafts.session != nil, store.isWritable, let place = place(of: store.reference) else {
      return []
    }
    return [.findDrafts(store.reference, place)]
  }

  /// Goes on with what an earlier run has left of the store on screen.
  mutating func draftsFound(
    _ reference: StoreReference, _ left: [Draft]
  ) -> [BrowserEffect] {
    guard keys?.store.reference == reference else { return [] }
    drafts.left = left
    if let latest = left.first {
      say("what you typed for \(latest.title) before larder ended is kept: \(recoverKey)", .warning)
    }
    return []
  }

  /// How to go on with what was left.
  private var recoverKey: String {
    let key = Command.named("recover")?.keys.first ?? ":recover"
    return "\(key) goes on with it"
  }

  /// Opens the editor with the latest text that an earlier run has left.
  mutating func recover() -> [BrowserEffect] {
    guard let store = keys?.store, let session = drafts.session, !drafts.left.isEmpty else {
      return []
    }
    let old = drafts.left.removeFirst()
    let token = newToken()
    var draft = old
    draft.id = DraftKeeper.id(token, of: session)
    var editor = EditorModel(
      store: store.reference, draft: old, template: store.template,
      optionalFields: store.optionalFields)
    editor.draft = draft.id
    overlay = .editor(editor)
    drafts.kept = draft
    drafts.token = token
    let more = drafts.left.isEmpty ? "" : "; then \(drafts.left.count) more"
    let seconds = old.date.timeIntervalSinceReferenceDate.rounded(.down)
    let date = Timestamp.text(of: Date(timeIntervalSinceReferenceDate: seconds))
    say(
      "typed \(date) and not saved as larder ended: Ctrl-S saves it, Esc "
        + "twice drops it\(more)", .warning)
    return [.keepDraft(draft, replacing: old.id, token: token)]
  }

  /// Why there is nothing to go on with.
  func needsDraft() -> String? {
    if drafts.session == nil { return "nothing that is typed is kept with --no-journal" }
    return drafts.left.isEmpty ? "nothing was left unsaved in this store" : nil
  }

  /// A store as the drafts name it.
  func place(of reference: StoreReference) -> StoreLocation? {
    guard let summary = stores.item(reference.location)?.summary.value,
      // What is in memory is over with the program.
      summary.resolvedPath != nil || summary.kind.name != "memory"
    else { return nil }
    return StoreLocation(
      path: summary.resolvedPath ?? summary.location.path, collection: reference.collection)
  }
}
