package import LarderModel
package import LarderOperations
package import LarderFormats
package import Foundation

/// Something that happened: the person did it, an effect replied, or time passed.
package enum BrowserAction: Sendable, Equatable {
  // What the person did.

  /// A command was called, by key, by name or with the mouse.
  case command(String, argument: String = "")
  /// A key was pressed that calls a command in other panes only.
  case misplaced(String)
  /// A key was pressed where text is typed.
  case edit(TextEdit)
  /// What was typed is to be taken.
  case submit
  /// What is typed is to be given to the person's own editor.
  case handOver
  /// What was typed is to be left.
  case cancel
  /// An earlier line, or a later one, is to be taken in the place of what was typed.
  case recall(by: Int)
  /// The next or the previous suggestion is to be taken.
  case complete(by: Int)
  /// The type of a new value is to be the next one.
  case changeType
  /// A row was clicked.
  case click(BrowserState.Focus, row: Int)
  /// The wheel was turned over a pane.
  case scroll(BrowserState.Focus, rows: Int)
  /// The divider before a pane was dragged to a column.
  case drag(divider: BrowserState.Focus, column: Int)

  // What an effect replied.

  case opened(LocationID, Result<LocationSummary, StoreError>)
  case storeOpened(StoreReference, Result<StoreSummary, StoreError>)
  case pageArrived(PageReply)
  case pageFailed(token: Int, StoreError)
  /// How many entries were looked at for a page that has to wait for all of them.
  case pageProgressed(token: Int, examined: Int)
  case entryRead(token: Int, Result<Entry, StoreError>)
  case pictureDecoded(token: Int, DecodedPicture)
  /// The value with what was found by looking at all of it.
  case insideRead(token: Int, ValueModel)
  /// The value with what a job has made of it, and what a search has come to.
  case valueWorked(token: Int, ValueModel, ValueFinding?)
  /// What is wrong with a large text that is typed was found out.
  case typedChecked(token: Int, String?)
  case counted(token: Int, count: Int, isExact: Bool)
  /// What is in some branches; nil for those of which the store cannot tell.
  case branchesCounted(token: Int, [EntryKey: BranchSize?], isLast: Bool = false)
  /// How many keys of a branch were counted so far.
  case branchProgressed(token: Int, EntryKey, examined: Int)
  case keyChecked(token: Int, Result<Entry, StoreError>)
  case wrote(token: Int, Result<Entry, StoreError>)
  case deleted(token: Int, EntryKey, StoreError?)
  case renamed(token: Int, Result<Entry, StoreError>)
  case prefixMatched(token: Int, Result<PrefixDeletionModel.Match, StoreError>)
  case prefixDeleted(token: Int, Result<PrefixDeletionModel.Outcome, OperationFailure>)
  case markedRead(token: Int, Result<[EntryChange], StoreError>)
  /// Until when entries count was written, for how many.
  case expirySet(token: Int, Result<String?, OperationFailure>)
  case markedRenamed(token: Int, Result<[EntryKey], OperationFailure>)
  /// The keys that are to be marked.
  case keysListed(token: Int, Result<KeyListing, StoreError>)
  /// What is to be put on the clipboard, or was written into a file.
  case textTaken(token: Int, Result<TakenText, StoreError>)
  case compared(token: Int, Result<ComparisonModel, StoreError>)
  case transferred(token: Int, Result<Transfer.Outcome, OperationFailure>)
  case markedDeleted(token: Int, Result<Int, OperationFailure>)
  case worked(WorkReport)
  case replayed(
    token: Int, StoreReference, Result<JournalStep, StoreError>, refused: RefusedStep? = nil)
  case broughtBack(token: Int, StoreError?)
  case watchBegan(token: Int, StoreWatcher.Extent, _ limitation: String?)
  case othersChanged(WatchReport)
  case watchEnded(token: Int, StoreError)
  case watchPaused(token: Int, StoreError)
  /// Until when all entries count.
  case timesSummed(token: Int, Result<TimesModel.Totals, StoreError>)
  /// What the cache that a store is was told to do is done.
  case cacheChanged(token: Int, Result<CacheChange.Outcome, StoreError>)
  /// It is time to look again at what is on screen.
  case followDue(token: Int)
  /// What was seen then.
  case followed(FollowingLook)
  /// The store on screen is there no longer.
  case storeLeft(token: Int, String)
  /// It is there again, and was opened anew.
  case storeReturned(token: Int, LocationSummary, StoreSummary)
  case cacheInspected(StoreReference, [CacheStatus], now: Duration)
  case draftKept(token: Int, problem: String?)
  /// What earlier runs have left of what was typed for a store and for others in its location.
  case draftsFound(StoreReference, [Draft])
  case bookmarksFound(StoreReference, [Bookmark])
  /// What the line that is typed may go on with.
  case offered(token: Int, Offers)
  /// The person's own editor is done.
  case editedOutside(token: Int, OutsideOutcome)
  case themeChanged(String, warnings: [String])
  /// Text did not get on the clipboard, for the reason given.
  case copyFailed(String)
  /// The terminal has taken what was copied.
  case copied(isSecret: Bool)
  case failed(String)
  case notice(String)
  case warned(String)
  /// What a store has to say of the change that it has just made.
  case remarked(String)

  // Time and place.

  case ticked(now: Duration)
  /// What the time is; whether a second was waited for it.
  case timeTold(Date, isWaited: Bool)
  /// A moment is over in which more of what is to be kept may have been typed.
  case timeToKeep(Date)
  /// A secret was read to be copied.
  case secretTaken(token: Int, Result<String, StoreError>)
  /// The secret of a read was on the screen for long enough.
  case timeToConceal(token: Int)
  /// A secret was on the clipboard for long enough.
  case timeToForgetCopy
  case viewportChanged(Viewport)
}

/// Part of a page: what has been found since the last reply to the same effect.
package struct PageReply: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// The entries, in the direction of the query.
  package var entries: [Entry]
  /// How many entries the store has looked at in all.
  package var examined: Int
  /// The key to go on after, where the page ended before its limit.
  package var position: EntryKey?
  /// Whether the store has no more entries in the direction of the query.
  package var isEnd: Bool
  /// Whether nothing more comes from this effect.
  package var isLast: Bool
  /// The entries of which it could not be told whether they match.
  package var undecided: [EntryKey]

  package init(
    token: Int, entries: [Entry], examined: Int, position: EntryKey? = nil, isEnd: Bool,
    isLast: Bool, undecided: [EntryKey] = []
  ) {
    self.token = token
    self.entries = entries
    self.examined = examined
    self.position = position
    self.isEnd = isEnd
    self.isLast = isLast
    self.undecided = undecided
  }
}

/// How many rows each pane has, as the view laid them out.
package struct Viewport: Sendable, Equatable {
  package var stores: Int
  package var keys: Int
  package var value: Int
  /// How far the help, or what was said, can be scrolled.
  package var help: Int
  /// Where the differences of what is compared are, and how far it can be scrolled.
  package var comparison: ComparisonScroll

  /// How many columns a row of the value has.
  package var valueWidth: Int

  package init(
    stores: Int = 20, keys: Int = 20, value: Int = 20, help: Int = 1_000,
    valueWidth: Int = 80, comparison: ComparisonScroll = ComparisonScroll()
  ) {
    self.stores = stores
    self.keys = keys
    self.value = value
    self.help = help
    self.valueWidth = valueWidth
    self.comparison = comparison
  }

  /// How what is compared can be scrolled.
  package struct ComparisonScroll: Sendable, Equatable {
    package var start: Int
    package var end: Int
    /// How far to scroll to each run of rows that differ.
    package var differences: [Int]

    package init(start: Int = 0, end: Int = 0, differences: [Int] = []) {
      self.differences = differences
      self.start = start
      self.end = end
    }
  }
}
