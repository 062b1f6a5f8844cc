import Foundation
import LarderFormats
import LarderModel

@testable import LarderBrowser

/// Renders each message of `LarderBrowser`.
extension MessageCatalogueTests {
  private typealias M = LarderBrowser.Messages

  private static let browserTexts: [String] = [
    M.nothing("deleted"), M.nothing("deleted", since: problem), M.stopped(M.nothing("deleted")),
    M.changed(word, since: time), M.justNow, M.meanwhile, M.sinceMarked,
    M.differsInBackingStore(word), M.deletedByOthers(word), M.entryDeletedByOthers(time),
    M.noStore, M.noKey, M.stillReading, M.noExpiry, M.noNewEntries, M.secretStore, M.openStore,
    M.noMessages, M.noText, M.noBackingValue, M.noJournal, M.readOnlyJournal, M.notBoolean,
    M.noPart, M.readOnlyOption, M.otherChange, M.noneSelected("key"),
    M.branch(title, open: call, openHere: call), M.fixedFile(problem), M.fixedValue(problem),
    M.noCommand(word, advice),
    M.notOpen(word, advice),
    M.emptyLine, M.noMatchingCommand(word), M.noMatch(word),
    M.worksElsewhere("edit", [M.inKeys, M.onValue], focus: call), M.inKeys, M.inStores, M.onValue,
    M.noHelp, M.noHelpSearch(search: call), M.locationNotOpen, M.storeNotOpen, M.opening,
    M.notOpened, M.noCollection(word, in: cache), M.noOpenStore(word, open: call), M.away(problem),
    M.available(cache), M.unresponsive(problem), M.responds(cache), M.noStoreForTab,
    M.onlyTab(quit: call), M.onlyTab(newTab: call), M.searchStopped, M.watchingAgain,
    M.noJournalNoItems, M.noItems, M.bookmarkRemoved, M.bookmarked(title, list: call),
    M.noBookmarks(bookmark: call), M.noBookmark(list: call), M.notSaved("bookmark", problem),
    M.savedFilter(word, filter: call), M.removedFilter(word), M.noSavedFilter(word, advice),
    M.noSavedFilters, M.noFilter(filter: call), M.noThemes, M.keepTheme(word),
    M.noTheme(word, advice), M.listed(by: "edit"), M.Label.bookmark, M.Label.compareWith,
    M.Label.copyToStore, M.Label.copyToKey, M.Label.deletePrefix, M.Label.number, M.Label.expires,
    M.Label.goTo, M.Label.moveToStore, M.Label.newKey, M.Label.newMember, M.Label.newPrefix,
    M.Label.password,
    M.Label.open, M.Label.rename, M.Label.search, M.Label.sortBy, M.Label.theme, M.useFile,
    M.tooLargeToEdit, M.tooLargeToAddMember, M.tooLargeToDeleteMember, M.replacesSecret,
    M.typeSecret, M.keptTheirs, M.externalSecret, M.noTerminal, M.computed(word),
    M.brokenJSON(word, save: call), M.saved(word), M.unchanged(word), M.writing(word),
    M.notSaved(save: call), M.discarded(word), M.keptBackingStore(M.refreshAdvice(refresh: call)),
    M.otherElement(save: call), M.otherType(problem), M.notText(word), M.member([word, title]),
    M.part([word, title], of: title), M.newRow, M.saveRow, M.keyTaken, M.takenKeyAdvice,
    M.checkingKey, M.memberTaken, M.noName, M.emptyText, M.nextNumber, M.exists(title),
    M.newEntry(nextTo: title), M.newMember(of: title), M.notNull(word), M.required(word),
    M.added(title), M.chosenType(word), M.noDrafts, M.noDraft, M.wholeFile, M.aNewKey, M.aNewRow,
    M.newKey(of: title), M.copy(of: title), M.draftsNotSaved(problem),
    M.editorText(title, in: cache), M.restores(word, recover: call), M.draft(title, recover: call),
    M.copiedSecret, M.clearedSecret, M.secretChanged(reload: call), M.noMember, M.elementReplaced,
    M.notCounted, M.marksGone, M.emptyPrefix, M.unlisted, M.deleting, M.counting,
    M.noKeyWithPrefix, M.deleted(word), M.alreadyDeleted(word), M.kept(title, "deleted"),
    M.notDeleted(title, problem), M.rangeCanceled, M.marksCleared, M.noKeyToMark, M.noMoreMarked,
    M.anEntry, M.onlyBranches, M.rangeStarted(title, mark: call), M.allKeys(of: title),
    M.undecided(title, problem), M.typeKey, M.samePrefix, M.renaming, M.copying, M.moving,
    M.noRename, M.incomplete(title, "deleted"), M.sameKey(title, "deleted"),
    M.removesPrefix(title, "Enter renames 2 entries"), M.notDuplicated(title, problem),
    M.noOtherStore(open: call), M.sameTarget, M.ambiguousTarget, M.noTarget(open: call),
    M.dataAsText, M.left(word), M.undoHint(undo: call), M.redoHint(redo: call), M.writing,
    M.plan(title, "expires now"), M.note(problem), M.isPast, M.moment(date),
    M.newVersion(expiry: call), M.nothingCached, M.notTimedCache, M.notInCache,
    M.ownCache(readThrough: call), M.notCached(title), M.evictedFromOwnCache(title),
    M.refreshAdvice(refresh: call), M.evicted(title), M.noExpiry(readThrough: call),
    M.noMoreToStepTo, M.severalKeysOnlyInTables, M.unsortedKeys, M.wholeStore, M.stoppedRanking,
    M.rows(by: [word, title]), M.filterFirst(filter: call, mark: call, watch: call),
    M.noOrder(word, [word, title]), M.notSorted(by: word, problem),
    M.stillSorted(by: "size, largest first"), M.noPlaceBack, M.noPlaceForward, M.longReference,
    M.missing(word), M.gone(title), M.rowsContaining(word), M.noLaterKey(word),
    M.firstWithPrefix(word), M.oneList, M.allKeysOfStore, M.noSeparator, M.noPrefixToOpen,
    M.scope(title), M.noColumns, M.noGrid, M.noColumnSelected, M.unreadCell, M.longCell,
    M.noHiddenColumn, M.notHidden(word, title), M.noColumn(word, title),
    M.noColumnToFilter(word, near: title),
    M.noColumnToFilter(word, near: nil), M.wraps, M.doesNotWrap,
    M.noLines,
    M.lastColumn(show: call), M.hid(word, show: call), M.reading, M.decoding, M.stoppedSearch,
    M.stopped, M.goToRow, M.openStoreTitle, M.image(problem, isDrawn: true), M.notFound(word),
    M.noSearch(search: call), M.noTree(format: call), M.noLevels(word), M.noFormat(word, advice),
    M.formats([word, title]), M.hidden(reveal: call), M.noValue(as: call), M.tryAgain(call),
    M.tooLargeToCopy, M.tooManyKeys, M.whichFile("export"), M.whichFile("import"), M.noFiles,
    M.copied(word),
    M.noCopyFormat(word, [word, title]), M.tooLargeForClipboard, M.notExported([problem]),
    M.importReplaces, M.partlyCopied(title), M.stillReplaying,
    M.stillWorking("imported", stop: "Esc", quit: "q"), M.noUndoOfReplacing,
    M.expiriesNotSet(.failed(problem)),
    M.noImportIntoProtected, M.states, M.neverExpires,
    M.justExpired, M.usedOnce, M.neverUsed, M.fetched("2h"), M.ownTTL, M.notRecorded, M.notKnown,
    M.notCachedValue, M.sameAsCache, M.otherThanCache, M.notInBackingStore, M.settles(word),
    M.stored(word, word, from: time), M.ago(time, "2h"), M.size("3 kB", of: word), M.notWatchable,
    M.notReported, M.watching, M.stoppedWatching, M.notCompared, M.byOthers, M.byLarder,
    M.unlistedChanges, M.watching(problem), M.stillWatching(problem), M.stoppedWatching(problem),
    M.notWatching(watch: call), M.sameValues, M.notWholeComparison, M.onlyTypes,
    M.notUTF8Difference, M.nothingToCompare, M.noHistory, M.now, M.cachedTitle,
    M.backingStore, M.compareFiles, M.comparisonReady(compare: call), M.both(word, word),
    M.lastChange(of: word), M.valueNotCached(word), M.onlyCached(word, word), M.noChange(of: word),
    M.incomplete(word), M.tooDifferent, M.differsLater, M.nothingFollows, M.otherSpelling,
    M.ignoresSpelling, M.otherType(word, word), M.noNewline, M.asYouLeft, M.asUndoLeft, M.asUndone,
    M.asRedone, M.shortLeft, M.shortUndone, M.shortRedone, M.sameStore, M.noCopyToUndo,
    M.noCopyToRedo, M.whichStores(mark: call), M.nothingToCopy(title, in: cache), M.notOpen(cache),
    M.otherForm(title, in: cache), M.copied(title, to: cache), M.undoCopy(undo: call),
    M.changedSinceCompared(title, again: call), M.noValueDifference, M.noSettingsApplied,
    M.nothingUntilFixed, M.emptyRule, M.ruleNames, M.lonelyUnit, M.keyAsExpiry, M.incompleteLens,
    M.keyForms, M.mustBeObject, M.mustBeText, M.mustBeTruth, M.mustBePath,
    M.mustBePaths, M.mustBeCommands, M.mustBeKeys, M.mustBeRules, M.mustBeRule, M.mustBeLenses,
    M.mustBeLens, M.mustBeColumns, M.mustBeText(such: word), M.emptySetting(word),
    M.unknown(word, advice), M.settings([word, title]), M.names([word, title]),
    M.units([word, title]), M.noUnit(word, advice), M.noZone(word), M.noDuration(word, ""),
    M.fixedKey(title), M.usedKey(title, "edit"), M.lostKey(title, "edit"),
  ]

  private static let browserSwitched: [@Sendable (Bool) -> String] = [
    { M.fixedStore($0 ? problem : nil) }, { M.tooLargeForEditor(word, isWhole: $0) },
    { M.notWritten(canChangeType: $0) },
    { M.draftsElsewhere([word, title], hasMore: $0, recover: call) },
    { M.noneExpired(isListed: $0) }, { M.rangeLost(title, isFiltered: $0) },
    { M.marksLost(next: $0 ? title : nil, delete: call) },
    { M.renamed(title, to: title, isCopy: $0) },
    { M.renameConflict(problem, isCopy: $0, isInBackingStore: $0) },
    { M.undoTransfer(isMove: $0, undo: call) }, { M.notANumber(word, isRedo: $0) },
    { M.changeList(isRedo: $0) }, { M.replayed(title, in: $0 ? cache : nil, isRedo: $0) },
    { M.expirySet(title, "expires now", $0 ? problem : nil) },
    { M.askExpiry(title, isOfSeveral: $0) }, { M.needsCache(hasTimes: $0, readThrough: call) },
    { M.continued(isForward: $0, in: word) },
    { M.sorted(by: "size, largest first", tree: $0 ? call : nil) },
    { M.noKey(word, near: $0 ? word : nil) }, { M.nearestKey(word, isLast: $0) },
    { M.grouped(by: word, inKeyOrder: $0) }, { M.continuedInValue(isForward: $0) },
    { M.wrongFormat(call, word, type: word, formats: [word, title], open: $0 ? call : nil) },
    { M.nothingInside(edit: $0 ? call : nil) }, { M.left("2h", isExpired: $0) },
    { M.neverExpires($0 ? problem : nil) }, { M.differenceAgain(isFirst: $0) },
    { M.before($0 ? time : nil) }, { M.lastChangeAdded(word, at: $0 ? time : nil) },
    { M.form($0 ? word : nil) }, { M.rest(word, isSame: $0) },
    { M.noKeyName(word, near: $0 ? word : nil) },
  ]

  private static let browserCounted: [@Sendable (Int) -> String] = [
    { M.entries($0, word) }, { M.keys($0) }, { M.bytes($0) }, { M.more($0) },
    { M.several(title, others: $0) }, { M.stopped($0, of: $0, "deleted") }, { M.goesToEntry($0) },
    { M.closed(word, tabs: $0, open: call) }, { M.tooManyTabs($0, close: call) },
    { M.newTab($0, next: call, previous: call) }, { M.whichTab(count: $0) },
    { M.noTab(word, count: $0) }, { M.closedTab(marks: $0) }, { M.closedTabs($0, since: problem) },
    { M.drafts(title, others: $0, recover: call) }, { M.unreadable($0) }, { M.wrongNumber($0) },
    { M.otherNumber($0) }, { M.deleted($0, withPrefix: title) }, { M.asksToDelete($0, title) },
    { M.marked($0) }, { M.markedFirst($0) }, { M.renamed($0) }, { M.tooManyToRename(title, $0) },
    { M.otherExpiries($0) }, { M.alreadyThere($0) }, { M.moveStopped(3, in: cache, deleted: $0) },
    { M.cacheStopped(after: $0, "deleted") }, { M.refreshed(title, missing: $0) },
    { M.tooManyToTouch(title, $0) }, { M.cached($0, fresh: $0, expired: $0) },
    { M.incompleteList(title, others: $0) }, { M.onlyEntries($0) }, { M.exported($0, to: cache) },
    { M.imported($0) }, { M.used($0) }, { M.watching(moreThan: $0) },
    { M.tooManyMarked($0) }, { M.largeDifference(bytes: $0) }, { M.cutLine(word, bytes: $0) },
    { M.cut($0, of: $0, "lines") }, { M.differs(fromByte: $0) }, { M.change(Int64($0), word) },
    { M.before(change: Int64($0)) }, { M.after(change: Int64($0)) }, { M.moreChanged($0) },
    { M.problem(problem, line: $0, name: word) }, { M.place(line: $0) }, { M.setTwice(line: $0) },
  ]

  private static let browserMixed: [@Sendable (Bool, Int) -> String] = [
    { M.recovered(date, others: $1, save: call, $0 ? problem : nil) },
    { M.expired($1, isWhole: $0, size: $0 ? "3 kB" : nil, filter: $0 ? "a" : "", unreadable: $1) },
    { M.deletesPrefix(title, $1, from: cache, hidesSome: $0, title) },
    { M.renames($1, hidesSome: $0, title) }, { M.transferred($1, to: cache, isMove: $0) },
    { M.transfers($1, to: $0 ? cache : nil, isProtected: $0, isMove: $0, title) },
    { M.nextChange(Int64($1), isRedo: $0) },
    {
      M.replayConflict(
        $0 ? title : nil, later: $0 ? Int64($1) : nil, change: $0 ? Int64($1) : nil, isRedo: $0)
    },
    { M.forced(title, change: Int64($1), isDeleted: $0, isRedo: $0) },
    { M.stoppedScan(after: $1, continues: $0) }, { M.copied(bytes: $1, hasOtherStore: $0) },
    { M.side(word, type: $0 ? word : nil, size: $0 ? $1 : nil) },
  ]

  static let browser: [String] =
    browserTexts + rendered(browserSwitched, browserCounted, browserMixed)
    + actions.flatMap { [M.verb($0), M.noun($0)] } + times
    + expiries.map(\.spoken) + orders.flatMap { [$0.spoken, $0.direction, $0.mark ?? ""] }

  private static let actions: [ChangeSummary.Action] = [
    .write, .delete, .rename, .touch, .refresh, .evict,
  ]

  private static let expiries: [ExpiryText] = [
    .never, .after(.zero), .after(.seconds(60)), .later(.seconds(60)), .at(date),
  ]

  private static let orders: [EntryOrder] = [false, true].flatMap { isDescending in
    fields.map { EntryOrder($0, isDescending: isDescending) }
  }

  private static let times: [String] = [false, true].flatMap { flag in
    M.times(
      all: 12_345, fresh: 3, soon: flag ? 1 : 0, expired: 2, never: flag ? 1 : 0,
      size: flag ? "3 kB" : nil, hits: flag ? 0.42 : nil, isWhole: flag)
  }
}
