import LarderModel
import LarderOperations

/// Messages about changes of whole entries.
extension Messages {
  // MARK: Deleting

  static let noMember = "no member was selected"
  static let elementReplaced = "another element is here now"
  static let notCounted = "this store cannot count its entries"
  static let marksGone = "the marked entries were already deleted"
  static let emptyPrefix = "type the prefix of the keys to delete"
  static let unlisted = ", including entries that are not listed"
  static let deleting = "deleting…"
  static let counting = "counting…"
  static let noKeyWithPrefix = "no key begins with this"

  static func deleted(_ what: String) -> String { "deleted \(what)" }

  static func deleted(_ count: Int, of total: Int) -> String {
    (count == 0 ? Deletion.nothing : deleted(entries(count))) + Deletion.remainder(total - count)
  }

  static func alreadyDeleted(_ what: String) -> String { "\(what) was already deleted" }

  static func kept(_ title: String, _ participle: String) -> String {
    "\(title) was not \(participle)"
  }

  static func notDeleted(_ title: String, _ problem: String) -> String {
    "\(kept(title, "deleted")): \(problem)"
  }

  static func unreadable(_ count: Int) -> String {
    nothing("deleted", since: incomplete(entries(count)))
  }

  static func noneExpired(isListed: Bool) -> String {
    nothing("deleted", since: isListed ? "no listed entry has expired" : "no entry has expired")
  }

  static func expired(
    _ count: Int, isWhole: Bool, size: String?, filter: String, unreadable: Int
  ) -> String {
    (isWhole ? "" : "the first ") + entries(count, "expired") + (size.map { " (\($0))" } ?? "")
      + (filter.isEmpty ? "" : " that match /\(filter)")
      + (unreadable > 0 ? ", except \(Thousands.text(unreadable)) unreadable" : "")
  }

  static func wrongNumber(_ count: Int) -> String {
    "\(nothing("deleted")): type \(Thousands.text(count)) to delete \(entries(count)), or Esc to "
      + "keep them"
  }

  static func otherNumber(_ count: Int) -> String {
    "\(nothing("deleted")): there are \(entries(count)) now. Type \(Thousands.text(count)) to "
      + "delete them, or Esc to keep them"
  }

  static func deleted(_ count: Int, withPrefix prefix: String) -> String {
    deleted("\(entries(count)) with the prefix “\(prefix)”")
  }

  static func asksToDelete(_ count: Int, _ examples: String) -> String {
    "Enter asks to delete \(entries(count)): \(examples)"
  }

  static func deletesPrefix(
    _ prefix: String, _ count: Int, from place: String, hidesSome: Bool, _ examples: String
  ) -> String {
    "Delete \(entries(count)) with the prefix “\(prefix)” from "
      + "\(place)\(hidesSome ? unlisted : "")? \(examples) – type \(Thousands.text(count)) "
      + "and Enter to delete, Esc to keep"
  }

  // MARK: Marks

  static let rangeCanceled = "range canceled"
  static let marksCleared = "all marks cleared"
  static let noKeyToMark = "there is no entry to mark"
  static let noMoreMarked = "stopped: no more entries were marked"
  static let anEntry = "an entry"
  static let onlyBranches = nothing("marked", since: "there are only branches in the range")

  static func rangeStarted(_ key: String, mark: String) -> String {
    "\(mark) again marks from \(key) to the selected entry; Esc cancels"
  }

  static func rangeLost(_ key: String, isFiltered: Bool) -> String {
    let why = isFiltered ? "is no longer in the list" : "is too far away"
    return nothing("marked", since: "\(key), the start of the range, \(why)")
  }

  static func marked(_ count: Int) -> String { "marked \(entries(count))" }

  static func markedFirst(_ count: Int) -> String {
    "marked the first \(entries(count)); there are more"
  }

  static func marksLost(next key: String?, delete: String) -> String {
    "all marks were lost, so nothing was deleted"
      + (key.map { "; \(delete) again asks about \($0)" } ?? "")
  }

  static func allKeys(of prefix: String) -> String { "all of “\(prefix)”" }

  static func undecided(_ key: String, _ problem: String) -> String {
    "larder cannot tell whether \(key) matches (\(problem)); no entry was marked"
  }

  // MARK: Renaming

  static let typeKey = "type the new key, or \"\" for the empty key"
  static let samePrefix = nothing("renamed", since: "the keys already begin with this")
  static let renaming = "renaming…"
  static let copying = "copying…"
  static let moving = "moving…"
  static let noRename = "entries of this store cannot be renamed"

  static func incomplete(_ key: String, _ participle: String) -> String {
    "\(incomplete(key)), so it cannot be \(participle)"
  }

  static func sameKey(_ title: String, _ participle: String) -> String {
    nothing(participle, since: "\(title) already has this key")
  }

  static func renamed(_ title: String, to key: String, isCopy: Bool) -> String {
    "\(isCopy ? "copied" : "renamed") \(title) to \(key)"
  }

  static func renamed(_ count: Int) -> String { "renamed \(entries(count))" }

  static func renameConflict(_ problem: String, isCopy: Bool, isInBackingStore: Bool) -> String {
    "\(nothing(isCopy ? "copied" : "renamed", since: problem)). Enter "
      + (isCopy ? "copies " : "renames ")
      + (isInBackingStore ? "the value in the backing store" : "it as it is now")
  }

  static func tooManyToRename(_ prefix: String, _ count: Int) -> String {
    "“\(prefix)” has more than \(Thousands.text(count)) entries; larder mv --prefix renames them all"
  }

  static func renames(_ count: Int, hidesSome: Bool, _ examples: String) -> String {
    "Enter renames \(entries(count))\(hidesSome ? unlisted : ""): \(examples)"
  }

  static func removesPrefix(_ prefix: String, _ plan: String) -> String {
    "Remove the prefix “\(prefix)”? Enter again\(plan.dropFirst("Enter".count)), Esc keeps it"
  }

  static func notDuplicated(_ key: String, _ obstacle: String) -> String {
    nothing("written", since: "\(key) cannot be duplicated: \(obstacle)")
  }

  // MARK: Transferring

  static func noOtherStore(open: String) -> String {
    "no other store is open; \(open) opens one"
  }

  static let sameTarget = "the entries are already in that store; choose another"
  static let ambiguousTarget = "several stores have that name; choose one"

  static func noTarget(open: String) -> String {
    "no open store has that name; \(open) opens another"
  }

  static func transferred(_ count: Int, to store: String, isMove: Bool) -> String {
    "\(isMove ? "moved" : "copied") \(entries(count)) to \(store)"
  }

  static let dataAsText = ", storing data as text with the same bytes"

  static func left(_ list: String) -> String { ", which cannot store \(list)" }

  static func otherExpiries(_ count: Int) -> String {
    ", which sets the expiry of \(entries(count)) itself"
  }

  static func partlyCopied(_ entries: String) -> String { ", without a part of \(entries)" }

  static func alreadyThere(_ count: Int) -> String {
    "; \(Thousands.text(count)) \(count == 1 ? "was" : "were") already there"
  }

  static func imported(_ count: Int) -> String { "imported \(entries(count))" }

  static let importReplaces = "; :import --replace FILE replaces it"
  static let stillReplaying = "a change is still being undone or redone; wait for it"

  static func stillWorking(_ participle: String, stop: String, quit: String) -> String {
    "entries are still being \(participle): \(stop) stops it, and \(quit) again waits for it"
  }

  static let noUndoOfReplacing =
    "this store records no changes, so --replace could not be undone; use larder import instead"

  static func expiriesNotSet(_ problem: StoreError) -> String {
    "the expiries could not be set: \(problem.message)"
  }

  static let noImportIntoProtected = "this store is protected; use larder import instead"

  static func undoTransfer(isMove: Bool, undo: String) -> String {
    isMove
      ? "; \(undo) undoes the deletion here, and the copies in that store"
      : "; \(undo) in that store undoes it"
  }

  static func moveStopped(_ count: Int, in store: String, deleted: Int) -> String {
    guard count > 1 else { return stopped("the entry is in \(store), but was not deleted here") }
    let part =
      switch deleted {
      case 0: "none of them was"
      case 1: "1 of them was"
      default: "\(Thousands.text(deleted)) of them were"
      }
    return stopped("all \(entries(count)) are in \(store), and \(part) deleted here")
  }

  static func transfers(
    _ count: Int, to store: String?, isProtected: Bool, isMove: Bool, _ examples: String
  ) -> String {
    "Enter \(isMove ? "moves" : "copies") \(entries(count)) "
      + (store.map { "to \($0)" } ?? "to the store that you name")
      + "\(isProtected ? ", which is PROTECTED" : ""): \(examples)"
  }

  // MARK: Undo

  static func undoHint(undo: String) -> String { "; \(undo) undoes the store's last change" }

  static func redoHint(redo: String) -> String { "; \(redo) redoes it" }

  static func notANumber(_ typed: String, isRedo: Bool) -> String {
    "“\(typed)” is not the number of a change; \(changeList(isRedo: isRedo))"
  }

  static func changeList(isRedo: Bool) -> String {
    ":\(isRedo ? "redo" : "undo") followed by a space lists them"
  }

  static func nextChange(_ number: Int64, isRedo: Bool) -> String {
    let command = isRedo ? "redo" : "undo"
    return "; change \(number) can be \(isRedo ? "redone" : "undone") (:\(command) \(number))"
  }

  static func replayed(_ subject: String, in place: String?, isRedo: Bool) -> String {
    "\(isRedo ? "redone" : "undone")\(place.map { " in \($0)" } ?? ""): \(subject)"
  }

  static func replayConflict(
    _ key: String?, later: Int64?, change: Int64?, isRedo: Bool
  ) -> String {
    let what = key.map { "\($0) was changed" } ?? "the entry was deleted"
    let others = later.map { "larder (change \($0))" } ?? "another program"
    return "\(nothing(isRedo ? "redone" : "undone")): \(what) by \(others) since then"
      + (change.map { " (change \($0))" } ?? "")
  }

  static func forced(_ title: String, change: Int64, isDeleted: Bool, isRedo: Bool) -> String {
    switch (isDeleted, isRedo) {
    case (true, false): "deleted \(title), which change \(change) had added"
    case (true, true): "deleted \(title), as change \(change) had"
    case (false, false): "restored \(title) to its value before change \(change)"
    case (false, true): "restored \(title) to its value after change \(change)"
    }
  }

  static func verb(_ action: ChangeSummary.Action) -> String {
    switch action {
    case .write: "wrote"
    case .delete: "deleted"
    case .rename: "renamed"
    case .touch: "set the expiry of"
    case .refresh: "refreshed"
    case .evict: "evicted"
    }
  }

  /// Returns a noun for a change that is undone or redone, before its subject: with a verb, the
  /// message of an undone deletion would read as if the undo had deleted.
  static func noun(_ action: ChangeSummary.Action) -> String {
    switch action {
    case .write: "the change to"
    case .delete: "the deletion of"
    case .rename: "the renaming of"
    case .touch: "the new expiry of"
    case .refresh: "the refresh of"
    case .evict: "the eviction of"
    }
  }
}
