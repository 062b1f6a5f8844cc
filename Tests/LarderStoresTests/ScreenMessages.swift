import Foundation
import LarderFormats
import LarderModel

@testable import LarderUI

/// Renders each message of `LarderUI`.
extension MessageCatalogueTests {
  private typealias M = LarderUI.Messages

  private static let screenTexts: [String] = [
    M.chooseStore, M.noStoreOpen, M.tabsWhileEditing, M.tabsBehindOverlay, M.noClipboard,
    M.screenTitle(cache), M.nothingOpen(open: call), M.noTheme(word, advice), M.opening, M.writing,
    M.reading, M.counting, M.stopping, M.undoing, M.redoing, M.scope(title), M.only(word),
    M.rows(word), M.watching(word), M.Hint.markToHere, M.Hint.noRange, M.Hint.markStore,
    M.Hint.allEntries, M.Hint.allColumns, M.Hint.leaveScope, M.Hint.edit(word), M.Hint.onlyThese,
    M.Hint.stopWatching, M.Hint.nextColumn,
    M.Hint.newLine, M.Hint.backToText, M.Hint.leaveIt, M.Hint.undoIt, M.Hint.redoIt,
    M.Hint.type(word), M.readingList, M.searchingList, M.emptyCache, M.noKey(withPrefix: title),
    M.noValue(matching: word), M.countingBranch, M.uncountedBranch,
    M.secret(show: call, copy: call), M.justExpired, M.fetched("2h"), M.notWritten(problem),
    M.writingRow, M.newRow(of: title), M.lastingDeletion, M.delete, M.deleting,
    M.deletesAll(not: word), M.note(problem), M.compare, M.compareStores, M.stillEmptyLog,
    M.andMore, M.notShown, M.compareAgain(call), M.changedInBackingStore, M.changedByOthers,
    M.differs(title, "deleted"), M.changed(title), M.findEverywhere, M.searching(word),
    M.helpTitle, M.noHelpMatch, M.unreadableChanges, M.noChanges, M.damagedChange, M.partlyUndone,
    M.undone, M.next("u"), M.possible("deleted"), M.unchecked("deleted"),
    M.refused("deleted", problem),
    M.unknownType, M.noPrefix, M.unsortedKeys, M.by("size, largest first"),
    M.incomplete(again: call), M.outdated(again: call), M.types([word]),
    M.Hint.columns, M.Hint.list, M.hidden([word, title]),
  ]

  private static let screenSwitched: [@Sendable (Bool) -> String] = [
    { M.noMatch(word, isRow: $0, doubt: $0 ? advice : nil, open: $0 ? call : nil) },
    { M.emptyStore(add: $0 ? call : nil, open: call) },
    { M.branchHelp(open: call, isOpen: $0, openHere: call, delete: $0 ? call : nil) },
    { M.expiry("2h", isExpired: $0) }, { M.form(isHex: $0) },
    { M.delete(title, from: $0 ? cache : nil) },
  ]

  private static let screenCounted: [@Sendable (Int) -> String] = [
    { M.tooLargeToCopy(bytes: $0, capacity: $0) }, { M.repeated(word, $0) },
    { M.position($0, of: $0) }, { M.position(0..<12, of: $0) }, { M.about($0) },
    { M.aboutEntries($0) }, { M.manyKeys($0) }, { M.tab($0, of: $0) }, { M.marked($0) },
    { M.Hint.marked($0) }, { M.hidden($0) }, { M.before($0) }, { M.after($0) },
    { M.stopped(after: $0) }, { M.largeBranch($0) }, { M.difference($0, of: $0) },
    { M.sameLines($0) }, { M.equal($0) }, { M.unreadable($0) }, { M.listed(first: $0) },
    { M.changedByLarder(Int64($0)) }, { M.text(word, inStores: $0) },
    { M.findings($0, with: word) }, { M.helpMatch($0, of: $0) }, { M.change($0, of: $0) },
    { M.others($0) },
  ]

  private static let screenMixed: [@Sendable (Bool, Int) -> String] = [
    { M.progress("reading", $0 ? $1 : nil, of: $0 ? $1 : nil) },
    { M.progress("reading", $1, ofAbout: $0 ? $1 : nil) }, { M.range($0 ? $1 : nil) },
    { M.Hint.mark(these: $0 ? $1 : nil) }, { M.branch($1, size: $0 ? "3 kB" : nil) },
    { M.changed(title, sinceChange: $0 ? Int64($1) : nil, "deleted") },
    { M.found($0 ? $1 : nil, hasMore: $0, failures: $1) },
    { M.conflict(title, later: $0 ? Int64($1) : nil) },
  ]

  static let screen: [String] =
    screenTexts + rendered(screenSwitched, screenCounted, screenMixed)
    + [ExpiryStatus.State.fresh, .soon, .expired, .never].map(M.noEntry)
}
