package import LarderModel
import Foundation

extension BrowserState {
  /// Undoes or redoes a change of the current store.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo the change.
  ///   - typed: The number of the change, or an empty string for the last one.
  /// - Returns: The effect that undoes or redoes the change.
  mutating func replay(isRedo: Bool, _ typed: String = "") -> Effects {
    guard let store = keys?.store else { return [] }
    let number = Int64(typed)
    guard typed.isEmpty || number != nil else {
      say(Messages.notANumber(typed, isRedo: isRedo), .error)
      return []
    }
    return replay(ReplayRequest(isRedo: isRedo, step: number), in: store.reference)
  }

  /// Undoes or redoes a change of a store.
  mutating func replay(_ request: ReplayRequest, in store: StoreReference) -> Effects {
    guard work?.kind.isOfCache != false else {
      say(Messages.otherChange, .error)
      return []
    }
    let ticket = ticket { $0.undo.replaying?.token }
    undo.replaying = Replay(token: ticket.token, isRedo: request.isRedo)
    return [ReplayChange(store: store, request: request, ticket: ticket)]
  }

  /// Returns a suggestion for choosing a change by number, with its time and description.
  func suggestion(of step: ChangeSummary) -> Suggestion? {
    guard let store = keys?.store.reference else { return nil }
    let time = step.time.map { date in
      let seconds = date.timeIntervalSince1970.rounded(.down)
      return Timestamp.text(of: Date(timeIntervalSince1970: seconds)) + "  "
    }
    return Suggestion(String(step.number), note: (time ?? "") + text(of: step, in: store))
  }

  /// Returns advice about a refused undo or redo, as the end of a message.
  private func advice(on refused: RefusedChange?, isRedo: Bool) -> String {
    (refused?.next.map { Messages.nextChange($0, isRedo: isRedo) } ?? "") + "; "
      + Messages.changeList(isRedo: isRedo)
  }

  mutating func replayed(
    _ reference: StoreReference, _ result: Answer<ChangeSummary>,
    refused: RefusedChange? = nil
  ) -> Effects {
    guard let replay = undo.replaying else { return [] }
    undo.replaying = nil
    let isShown = keys?.store.reference == reference
    switch result {
    case .success(let step):
      let back =
        replay.isRedo ? undoHint : Messages.redoHint(redo: settings.bindings.call("redo"))
      let place = stores.item(reference.location)?.summary.value?.location.title() ?? ""
      let subject = "\(Messages.noun(step.action)) \(subject(of: step, in: reference))"
      say(
        Messages.replayed(subject, in: isShown ? nil : place, isRedo: replay.isRedo)
          + (isShown ? back : ""))
      let height = viewport.overlay
      storeDifferences?.replayed(step.number, in: reference, isRedo: replay.isRedo, height: height)
      return listChanged(
        reference, around: replay.isRedo ? step.newKey ?? step.key : step.key, keepsMarks: true)
        + readHistory()
    case .failure(.notFound(let sentence)):
      say(sentence, .warning)
      return []
    case .failure(.conflict(let theirs)):
      let refusal =
        Messages.replayConflict(
          theirs.map { text(of: $0.key, in: reference) }, later: refused?.conflict?.later,
          change: refused?.number, isRedo: replay.isRedo)
        + advice(on: refused, isRedo: replay.isRedo)
      let refusedReplay = refused.flatMap { refused in
        refused.conflict.flatMap { conflict in
          conflict.outcome == nil
            ? nil
            : RefusedReplay(
              store: reference, step: refused.number, isRedo: replay.isRedo,
              title: text(of: conflict.key, in: reference), conflict: conflict, refusal: refusal)
        }
      }
      guard isShown, canCover, let refusedReplay, refusedReplay.changes(theirs) else {
        say(refusal, .error)
        return isShown ? readSelected() + readHistory() : []
      }
      cover(
        .conflict(
          ConflictModel(
            attempt: .replay(refusedReplay), theirs: theirs,
            isInBackingStore: isInBackingStore(theirs))))
      return readSelected() + readHistory()
    case .failure(let error):
      say(error.message, .error)
      return []
    }
  }

  /// Returns a short description of a change.
  package func text(of step: ChangeSummary, in reference: StoreReference) -> String {
    "\(Messages.verb(step.action)) \(subject(of: step, in: reference))"
  }

  /// Returns the names of the entries that a change affected.
  private func subject(of step: ChangeSummary, in reference: StoreReference) -> String {
    let columns = step.columnText(leavingOut: shownStore(reference)?.valueField)
    return Messages.several(
      "\(columns)\(text(of: step.key, in: reference))", others: step.count - 1)
  }

  /// The end of a message about a change that can be undone, or an empty string.
  ///
  /// It mentions the last change of the store, because another program may have changed the store
  /// since.
  var undoHint: String {
    keys?.store.capabilities.contains(.undo) == true
      ? Messages.undoHint(undo: settings.bindings.call("undo")) : ""
  }
}

/// The undo or redo in progress.
package struct UndoModel: Sendable, Equatable {
  /// The change that is being undone or redone.
  package internal(set) var replaying: Replay?
  /// The refused change that is being applied over the change of another program.
  package internal(set) var forcedReplay: RefusedReplay?
}

/// A change that cannot be undone or redone because of a conflict.
package struct RefusedChange: Sendable, Equatable {
  /// The number of the change.
  package let number: Int64
  /// The number of the next change that can be undone or redone, or `nil` if none is known.
  package let next: Int64?
  /// The conflict of the first changed entry.
  package let conflict: UndoConflict?

  package init(number: Int64, next: Int64?, conflict: UndoConflict? = nil) {
    self.number = number
    self.next = next
    self.conflict = conflict
  }
}

/// An undo or redo in progress.
package struct Replay: Sendable, Equatable {
  /// The token of the effect.
  package let token: Int
  /// Whether it is a redo.
  package let isRedo: Bool
}
