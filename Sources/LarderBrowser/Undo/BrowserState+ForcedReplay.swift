package import LarderModel

/// An undo or redo of a change to one entry that conflicts with its current version.
package struct RefusedReplay: Sendable, Equatable {
  package let store: StoreReference
  /// The number of the change.
  package let step: Int64
  /// Whether the change was to be redone.
  package let isRedo: Bool
  /// The key, as displayed.
  package let title: String
  /// The conflict, with the intended outcome.
  package let conflict: UndoConflict
  /// The message to show if the change stays refused.
  package let refusal: String
  /// The token of the effect that applies the change anyway.
  var token: Int?

  /// Returns whether the change would affect the current version of the entry, to which another
  /// program may have made the same change.
  func changes(_ theirs: Entry?) -> Bool { theirs?.value != conflict.value(over: theirs?.value) }

  /// Returns the write that applies the change to the current version of the entry.
  func write(over theirs: Entry?) -> EntryChange {
    EntryChange(
      conflict.key, value: conflict.value(over: theirs?.value), expecting: theirs?.fingerprint,
      form: conflict.outcome?.form)
  }
}

extension BrowserState {
  /// Applies a refused undo or redo, overwriting the change of another program.
  mutating func forceReplay(_ replay: RefusedReplay, over theirs: Entry?) -> Effects {
    let ticket = ticket { $0.undo.forcedReplay?.token }
    overlay = nil
    undo.forcedReplay = replay
    undo.forcedReplay?.token = ticket.token
    return [ForceReplay(store: replay.store, change: replay.write(over: theirs), ticket: ticket)]
  }

  mutating func forcedReplayEnded(_ error: StoreError?) -> Effects {
    guard let replay = undo.forcedReplay else { return [] }
    undo.forcedReplay = nil
    switch error {
    case nil:
      let done = Messages.forced(
        replay.title, change: replay.step, isDeleted: replay.conflict.outcome?.value == nil,
        isRedo: replay.isRedo)
      say(done + undoHint)
    case .conflict(let theirs):
      guard canCover, keys?.store.reference == replay.store,
        replay.changes(theirs)
      else {
        say(replay.refusal, .error)
        break
      }
      cover(
        .conflict(
          ConflictModel(
            attempt: .replay(replay), theirs: theirs, isInBackingStore: isInBackingStore(theirs))))
      return []
    case .some(let error):
      say(error.message, .error)
    }
    return listChanged(replay.store, around: replay.conflict.key) + readHistory()
  }
}
