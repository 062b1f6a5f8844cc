package import LarderModel
package import LarderOperations
package import LarderFormats

/// Something to do outside the state, as a value that tests can compare.
package enum BrowserEffect: Sendable, Equatable {
  /// Recognise and open a location, as it was typed.
  case openLocation(LocationID, text: String)
  /// Let go of a location that was closed, or turned out to be open under another id.
  case forgetLocation(LocationID)
  /// Open a collection, or the whole of a location.
  case openStore(StoreReference)
  /// Read entries until the query's limit is reached, the store ends, or it is cancelled.
  case loadPage(StoreReference, EntryPageQuery, token: Int)
  /// Read a page of the tree of keys.
  case loadTree(StoreReference, PrefixSummaryQuery, token: Int)
  /// Count the keys of branches, one branch after the other.
  case countBranches(StoreReference, [EntryKey], token: Int)
  /// Read one entry whole, from the cache if it is there.
  case readEntry(StoreReference, EntryKey, token: Int, through: ReadPath)
  /// Count the entries whose keys begin with a text: an estimate where the store has one, else the
  /// true number.
  case count(StoreReference, prefix: String = "", token: Int)
  /// Find out whether an entry can be added under a key.
  case checkKey(StoreReference, EntryKey, token: Int)
  /// Write a value if the store still holds what was read.
  case write(StoreReference, Entry, ReplaceQuery, token: Int)
  /// Delete an entry if the store still holds what was read.
  case delete(StoreReference, EntryQuery, token: Int)
  /// Give an entry another key if the store still holds what was read.
  case rename(StoreReference, RenameQuery, token: Int)
  /// Add an entry that is like another one under a free key, if the store still holds what was read.
  case duplicate(StoreReference, RenameQuery, token: Int)
  /// Give several entries other keys in one step, if they are what was marked.
  case renameMarked(StoreReference, [Rename.Item], token: Int)
  /// Set when entries expire in one step, if they are what was seen.
  case setExpiry(
    StoreReference, ChosenEntries, [EntryKey: Fingerprint], ExpiryText, token: Int)
  /// Have the cache that a store is read entries anew, or let go of them.
  case changeCache(StoreReference, ChosenEntries, CacheChange, token: Int)
  /// Answer when it is time to look again at what is on screen of a store that does not tell.
  case waitToFollow(Duration, token: Int)
  /// Read some entries again, and the one whose value is shown.
  case lookAgain(StoreReference, FollowingLook.Request?, EntryKey?, token: Int)
  /// Copy entries to another store, and delete them where they are once all are there.
  case transfer(TransferOrder, from: StoreReference, to: StoreReference, token: Int)
  /// List keys, to mark them.
  case listKeys(StoreReference, EntryPageQuery, token: Int)
  /// Read entries as text for the clipboard.
  case takeText(StoreReference, [EntryKey], EntriesText, token: Int)
  /// Write entries into a file.
  case exportEntries(StoreReference, [EntryKey], path: String, replaces: Bool, token: Int)
  /// Find out how many entries have keys with a prefix, and which come first.
  case matchPrefix(StoreReference, String, token: Int)
  /// Delete all entries with a prefix if there are still those that were counted.
  case deletePrefix(StoreReference, String, PrefixDeletionModel.Match, token: Int)
  /// Read what there is under several keys, as deletions of it; what is gone is left out.
  case readMarked(StoreReference, [EntryKey], token: Int)
  /// Delete several entries in one step, if they are still what was read.
  case deleteMarked(StoreReference, [EntryChange], token: Int)
  /// Decode an image.
  case decodePicture([UInt8], token: Int)
  /// Find out what a large value holds.
  case readInside(ValueModel, token: Int)
  /// Do something with the rows of a value that takes a while.
  case workOnValue(ValueModel, ValueJob, token: Int)
  /// Find out what is wrong with a large text that is typed.
  case checkTyped(EditorModel, token: Int)
  /// Compare two values.
  case compare(CompareOrder, token: Int)
  /// Stop the change of many entries that has this token; what it answers says how far it came.
  case stopWork(token: Int)
  /// Take a step of the store's journal back, or make it again.
  case replay(StoreReference, ReplayRequest, token: Int)
  /// Write over what stands against a refused step what that was to bring back.
  case bringBack(StoreReference, EntryChange, token: Int)
  /// Say what the store's timed cache holds.
  case inspectCache(StoreReference)
  /// Read one entry anew into the cache.
  case refreshCached(StoreReference, EntryKey, token: Int)
  /// Take one entry out of the cache, and read what is left in it; the store keeps it.
  case evictCached(StoreReference, EntryKey, token: Int)
  /// Tell what others change in a store, until it is stopped.
  case watch(StoreReference, token: Int)
  /// Find out until when all entries count whose keys begin with a text.
  case sumTimes(StoreReference, prefix: String, token: Int)
  /// Say when a store goes away, unless it is known to be, and open its location anew, as it was
  /// typed, once it is back.
  case attend(StoreReference, text: String, isAway: Bool, token: Int)
  /// Stop the effect that has this identity.
  case cancel(EffectIdentity)
  /// Answer with the time, a second from now.
  case tick
  /// Answer with the time of day at once.
  case askTime
  /// Answer with the time of day, a second from now.
  case waitForTime
  /// Answer with the time after a moment, in which more may be typed or not.
  case waitToKeep
  /// Keep what is typed for the case that the program ends, in the place of an older draft.
  case keepDraft(Draft, replacing: Draft? = nil, token: Int)
  /// Forget what was kept.
  case dropDraft(String)
  /// Find what earlier runs have left of a store.
  case findDrafts(StoreReference, StoreLocation)
  /// Find the bookmarks of a store.
  case findBookmarks(StoreReference, StoreLocation)
  /// Set a bookmark, or take it away; of several for one, that of the highest token counts.
  case setBookmark(Bookmark, isKept: Bool, token: Int)
  /// Find what a line that is typed may go on with.
  case offer(OfferQuery, token: Int)
  /// Leave the terminal to the person's own editor until it is done with a text, and keep the draft
  /// meanwhile.
  case editOutside(OutsideText, Draft?, token: Int)
  /// Show the screen in another theme.
  case useTheme(String)
  /// Put text on the terminal's clipboard, and answer whether it took it.
  case copy(String, isSecret: Bool = false)
  /// Read a secret to be put on the clipboard.
  case takeSecret(StoreReference, EntryKey, token: Int)
  /// Wait for the time in which a secret on the screen is hidden again.
  case waitToConceal(token: Int)
  /// Wait for the time in which a secret is taken off the clipboard.
  case waitToForgetCopy
  /// Take what was copied last off the clipboard, where it is still there.
  case forgetCopy
  /// Leave the screen to the shell until the program is continued.
  case suspend
  /// Draw everything again, whatever the terminal may show.
  case redraw
  /// End the program.
  case quit

  /// Where an entry is read from.
  package enum ReadPath: Sendable, Equatable {
    /// The store, or the cache over it if the browser was told to look through one.
    case usual
    /// The store itself; where reads go through the cache, what was read takes its place there.
    case fresh
    /// What the cache holds, and nothing else.
    case cacheOnly
    /// The cache, which asks the store for what it does not have.
    case cache
    /// The store, for a person who has asked to see the value although it is a secret.
    case revealing
  }
}

/// What an effect is about: a new effect with the same identity takes the place of the old one.
package enum EffectIdentity: Sendable, Hashable {
  case openStore
  case page
  case entry
  case count
  case branchCount
  case newKey
  case prefix
  case marked
  case marking
  case text
  case comparison
  case typedCheck
  case inside
  case value
  case cache
  case tick
  case time
  case watch
  case departure
  case follow
  case times
  case waitToKeep
  case drafts
  case bookmarks
  case offers
  case secret
  case concealing
  case forgetting
}

extension BrowserEffect {
  /// The identity of effects that replace each other, or nil where each has to be carried out.
  package var identity: EffectIdentity? {
    switch self {
    case .openStore: .openStore
    case .loadPage, .loadTree: .page
    case .countBranches: .branchCount
    case .readEntry: .entry
    case .count: .count
    case .checkKey: .newKey
    case .matchPrefix: .prefix
    case .readMarked: .marked
    case .listKeys: .marking
    case .takeText: .text
    case .compare: .comparison
    case .checkTyped: .typedCheck
    case .decodePicture, .readInside: .inside
    case .workOnValue: .value
    case .inspectCache: .cache
    case .tick: .tick
    case .waitForTime: .time
    case .watch: .watch
    case .attend: .departure
    case .waitToFollow, .lookAgain: .follow
    case .sumTimes: .times
    case .waitToKeep: .waitToKeep
    case .findDrafts: .drafts
    case .findBookmarks: .bookmarks
    case .offer: .offers
    case .takeSecret: .secret
    case .waitToConceal: .concealing
    case .waitToForgetCopy: .forgetting
    default: nil
    }
  }

  /// Whether the effect waits for time or for others, so that nobody waits for it.
  package var isInBackground: Bool {
    switch identity {
    case .tick, .time, .watch, .departure, .follow, .waitToKeep, .concealing, .forgetting: true
    default: false
    }
  }

  /// Whether the effect changes what outlives the program, which waits for it before it ends.
  package var isWrite: Bool {
    switch self {
    case .keepDraft, .dropDraft, .exportEntries, .setBookmark: true
    default: writtenStore != nil
    }
  }

  /// The store that the effect changes; nil where it changes none.
  ///
  /// Every case is named, as one that is forgotten would be ended in the middle of its writing.
  package var writtenStore: StoreReference? {
    switch self {
    case .write(let store, _, _, _), .delete(let store, _, _), .rename(let store, _, _),
      .deletePrefix(let store, _, _, _), .deleteMarked(let store, _, _),
      .duplicate(let store, _, _), .renameMarked(let store, _, _),
      .setExpiry(let store, _, _, _, _), .changeCache(let store, _, _, _),
      .transfer(_, _, let store, _),
      .replay(let store, _, _), .bringBack(let store, _, _):
      store
    case .openLocation, .forgetLocation, .openStore, .loadPage, .loadTree, .countBranches,
      .readEntry, .count, .checkKey, .waitToFollow, .lookAgain, .listKeys, .takeText,
      .exportEntries, .matchPrefix, .readMarked, .decodePicture, .readInside, .workOnValue,
      .checkTyped, .compare, .stopWork, .inspectCache, .refreshCached, .evictCached, .watch,
      .sumTimes, .attend, .cancel, .tick, .askTime, .waitForTime, .waitToKeep, .keepDraft,
      .dropDraft, .findDrafts, .findBookmarks, .setBookmark, .offer, .editOutside, .useTheme, .copy,
      .takeSecret, .waitToConceal, .waitToForgetCopy, .forgetCopy, .suspend, .redraw, .quit:
      nil
    }
  }
}
