package import LarderModel

/// A change of one entry that was to be taken back, or made again, and that another stands against.
package struct RefusedReplay: Sendable, Equatable {
  package let store: StoreReference
  /// The number of the step.
  package let step: Int64
  /// Whether it was to be made again.
  package let isRedo: Bool
  /// The key as it is shown.
  package let title: String
  /// What it was to make of the entry, which is another by now.
  package let conflict: StepConflict
  /// What is said where it stays refused.
  package let refusal: String
  /// The token of the effect that does it over what the store holds now.
  var token: Int?

  /// Whether it would make something else of what the store holds now: others may have done just what
  /// was to be done.
  func changes(_ theirs: Entry?) -> Bool { theirs?.value != conflict.value(over: theirs?.value) }

  /// What is written over what the store holds now.
  func write(over theirs: Entry?) -> EntryChange {
    EntryChange(
      conflict.key, value: conflict.value(over: theirs?.value), expecting: theirs?.fingerprint,
      form: conflict.outcome?.form)
  }
}

extension BrowserState {
  /// Does what a refused step was to do, over what somebody else has made of its entry.
  mutating func bringBack(_ replay: RefusedReplay, over theirs: Entry?) -> Effects {
    let ticket = ticket { $0.undo.bringingBack?.token }
    overlay = nil
    undo.bringingBack = replay
    undo.bringingBack?.token = ticket.token
    return [BringBack(store: replay.store, change: replay.write(over: theirs), ticket: ticket)]
  }

  mutating func broughtBack(_ error: StoreError?) -> Effects {
    guard let replay = undo.bringingBack else { return [] }
    undo.bringingBack = nil
    switch error {
    case nil:
      let (title, step) = (replay.title, replay.step)
      let done =
        switch (replay.conflict.outcome?.value, replay.isRedo) {
        case (nil, false): "deleted \(title), which change \(step) had added"
        case (nil, true): "deleted \(title), as change \(step) had"
        case (_, false): "wrote \(title) as it was before change \(step)"
        case (_, true): "wrote \(title) as change \(step) had"
        }
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
