import Foundation
import Harmony
import HarmonySQLite
import LarderModel

// The sentences of this target that users can see. Each starts in lower case and has no final full
// stop before its last clause.

// MARK: Undo

extension StoreError {
  static func nothing(isRedo: Bool) -> Self {
    .notFound(
      isRedo
        ? "nothing to redo in this store: no change was undone since its last one"
        : "nothing to undo in this store")
  }

  static func alreadyReplayed(_ number: Int64, isRedo: Bool) -> Self {
    .notFound(
      isRedo
        ? "change \(number) has not been undone; there is nothing to redo"
        : "change \(number) is already undone")
  }

  static func noSuchChange(_ number: Int64, isRedo: Bool) -> Self {
    .notFound(
      "this store has no change \(number) that " + (isRedo ? "was undone" : "can be undone"))
  }

  static func beingReplayed(isUndo: Bool) -> Self {
    .busy(
      "another larder is undoing or redoing the same change; nothing was "
        + "\(isUndo ? "undone" : "redone"). Try again")
  }

  static func interrupted(isUndo: Bool, isLast: Bool) -> Self {
    let (verb, done) = isUndo ? ("undo", "undone") : ("redo", "redone")
    return .notFound(
      "the last change was interrupted and left nothing to \(verb); nothing was \(done). "
        + (isLast
          ? "This store has no other change" : "\(verb.capitalized) again for the one before it"))
  }

  static func undecided(_ number: Int64) -> Self {
    .changedSince(
      "change \(number) was interrupted, and its entries now match neither the state before it nor "
        + "the state after it; nothing was undone. Other changes can be undone by their numbers")
  }

  static func shifted(_ time: Date) -> Self {
    .failed(
      "the value before \(Timestamp.text(of: time)) is unknown, because the elements of its array "
        + "were moved then")
  }

  static func movedBy(_ later: Int64, _ key: EntryKey, undoing number: Int64) -> Self {
    .changedSince(
      "\(key.spoken) was moved by change \(later), which must be undone before change \(number); "
        + "nothing was changed")
  }

  static func removesEarlier(_ key: EntryKey) -> Self {
    .failed(
      "\(key.spoken) cannot be changed together with removing earlier elements, because this could "
        + "not be undone; nothing was written")
  }

  static func inexact(_ key: EntryKey, _ loss: String) -> Self {
    .notSupported(
      "undo could not restore \(key.spoken) exactly: \(loss); nothing was deleted. --no-journal "
        + "deletes it without undo")
  }

  static let noLongerExpires = Self.notSupported(
    "the store has no expiries now; nothing was written")
}

// MARK: The file

extension StoreError {
  static let damagedJournal = Self.corrupt("the journal contains a change that cannot be read")

  static func untrusted(_ refusal: TrustedPath.Refusal, _ purpose: Journal.Purpose) -> Self {
    .journal(
      purpose == .reading
        ? "the journal is not read, as \(refusal)"
        : "no change can be recorded, as \(refusal); nothing was written. --no-journal writes "
          + "without undo")
  }

  static func busyJournal(_ path: String, _ purpose: Journal.Purpose) -> Self {
    let outcome =
      purpose == .settling
      ? "" : "; nothing was \(purpose == .reading ? "read" : "written"). Try again"
    return .busy("the journal \(path) is being written by another larder\(outcome)")
  }

  static func journal(_ path: String, _ reason: String, _ purpose: Journal.Purpose) -> Self {
    let outcome =
      switch purpose {
      case .reading:
        "; its changes can be neither listed nor undone. Check the file and its permissions, or move "
          + "it away to begin a new one"
      case .settling: ""
      case .writing:
        "; nothing was written. Check the file, its permissions and the free space on its disk, move "
          + "it away to begin a new one, or use --no-journal to write without undo"
      }
    return .journal(
      "the journal \(path) cannot be \(purpose == .reading ? "read" : "written"): \(reason)"
        + outcome)
  }
}

extension SQLiteError {
  static let notAJournal = Self(.error, "it is not a journal of larder")
  static func earlierJournal(_ version: Int64) -> Self {
    Self(
      .error,
      "it has version \(version), which only earlier versions of larder can read; move it to another "
        + "folder to start a new one")
  }

  static let laterJournal = Self(.error, "a later version of larder created it; use that version")
}

// MARK: Warnings

enum Messages {
  static func unsettled(_ problem: String) -> String {
    "\(problem); the change was made, but is not recorded yet. Undo checks the store once this larder "
      + "has ended"
  }

  static func noOldContent(_ obstacle: String) -> String {
    "\(obstacle), so the previous value is not in the journal and cannot be restored"
  }

  static func expired(_ first: EntryKey, others: Int) -> String {
    others == 0
      ? "\(first.spoken) has expired since then and no longer exists"
      : "\(first.spoken) and \(others) more have expired since then and no longer exist"
  }

  static func cachedAgain(_ first: EntryKey, others: Int) -> String {
    others == 0
      ? "\(first.spoken) was cached again by the program since then, and is unchanged"
      : "\(first.spoken) and \(others) more were cached again by the program since then, and are "
        + "unchanged"
  }
}
