import LarderModel
import LarderOperations

// The sentences of this target that users can see, in the files of this folder whose names end in
// `Messages`. Messages and clauses start in lower case and have no final full stop. The titles and
// descriptions of commands and settings are in their declarations.

/// The messages of the browser, its counts and the labels of its prompts.
package enum Messages {
  // MARK: Counts

  /// Returns a number of entries as text, with an optional adjective.
  package static func entries(_ count: Int, _ adjective: String = "") -> String {
    let noun = count == 1 ? "entry" : "entries"
    return "\(Thousands.text(count)) \(adjective.isEmpty ? "" : adjective + " ")\(noun)"
  }

  /// Returns a number of keys as text.
  package static func keys(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "key" : "keys")"
  }

  static func bytes(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "byte" : "bytes")"
  }

  static func more(_ count: Int) -> String {
    count > 0 ? " and \(Thousands.text(count)) more" : ""
  }

  static func several(_ key: String, others: Int) -> String { key + more(others) }

  // MARK: Outcomes

  /// Returns the outcome of a command that changed nothing: `nothing was deleted`.
  static func nothing(_ participle: String) -> String { OperationFailure.outcome(0, participle) }

  static func nothing(_ participle: String, since reason: String) -> String {
    "\(reason); \(nothing(participle))"
  }

  static func stopped(_ outcome: String) -> String { "stopped: \(outcome)" }

  static func stopped(_ count: Int, of total: Int, _ participle: String) -> String {
    stopped(
      "\(Thousands.text(count)) of \(entries(total)) \(count == 1 ? "was" : "were") \(participle)")
  }

  static func changed(_ what: String, since: String) -> String {
    "\(what) was changed by another program\(since.isEmpty ? "" : " " + since)"
  }

  static let justNow = "just now"
  static let meanwhile = "in the meantime"
  static let sinceMarked = "since it was marked"

  static func differsInBackingStore(_ what: String) -> String {
    "\(what) differs in the backing store"
  }

  static func deletedByOthers(_ what: String) -> String {
    "\(what) was deleted by another program"
  }

  static func entryDeletedByOthers(_ since: String) -> String {
    "\(deletedByOthers("an entry")) \(since)"
  }

  static func incomplete(_ what: String) -> String { "\(what) cannot be read completely" }

  // MARK: Commands

  static let noStore = "no store is open"
  static let noKey = noneSelected("entry")
  static let stillReading = "the value is still being read"
  static let noExpiry = "this store has no expiry"
  static let noNewEntries = "this store takes no new entries"
  static let secretStore = "the values of this store are secrets"
  static let openStore = "this store shows its values"
  static let noMessages = "there are no messages yet"
  static let noText = "there is no text to go back to"
  static let noBackingValue = "the backing store has no value to compare"
  static let noJournal = "undo is unavailable: \(noHistory)"
  static let readOnlyJournal =
    "a read-only session opens no journal; larder log lists the recorded changes"
  static let notBoolean = "the selection is not a Boolean"
  static let noPart = "no part of the value is selected"
  static let readOnlyOption = "larder was started with --read-only"
  static let otherChange = "another change is in progress; Esc in the list of entries stops it"

  static func noneSelected(_ what: String) -> String { "no \(what) is selected" }

  static func branch(_ prefix: String, open: String, openHere: String) -> String {
    "“\(prefix)” is a branch; \(open) opens it, \(openHere) lists only its keys"
  }

  static func fixedValue(_ obstacle: String) -> String { "not editable: \(obstacle)" }
  static func fixedFile(_ obstacle: String) -> String { "this file cannot be changed: \(obstacle)" }

  static func fixedStore(_ reason: String?) -> String {
    "this store cannot be changed" + (reason.map { ": \($0)" } ?? "")
  }

  static func notOpen(_ store: String, _ advice: String) -> String {
    "no open store is called “\(store)”; \(advice)"
  }

  static func noCommand(_ name: String, _ advice: String) -> String {
    "there is no command “\(name)”; \(advice)"
  }

  static let emptyLine = "clear the line to list all commands"

  static func noMatchingCommand(_ text: String) -> String { "No command matches “\(text)”." }

  static func goesToEntry(_ number: Int) -> String {
    "Enter goes to entry \(Thousands.text(number))."
  }

  static func noMatch(_ text: String) -> String { "Nothing matches “\(text)”." }

  static func worksElsewhere(_ command: String, _ places: [String], focus: String) -> String {
    "\(command): works only \(places.joined(separator: " and ")); \(focus) goes there"
  }

  static let inKeys = "in the list of entries"
  static let inStores = "in the list of stores"
  static let onValue = "on the value"

  // MARK: Help

  static let noHelp = "only the help can be searched"

  static func noHelpSearch(search: String) -> String { "press \(search) and type a word first" }

  // MARK: Stores

  static let locationNotOpen = "the location is not open"
  static let storeNotOpen = "the store is not open"
  static let opening = "opening…"
  static let notOpened = "cannot be opened"

  static func noCollection(_ name: String, in path: String) -> String {
    "\(path) has no “\(name)”"
  }

  static func noOpenStore(_ name: String, open: String) -> String {
    "no open store is called “\(name)”; \(open) opens another"
  }

  static func closed(_ name: String, tabs: Int, open: String) -> String {
    let tabsToo = tabs == 0 ? "" : ", and \(tabs == 1 ? "a tab" : "\(tabs) tabs") with it"
    return "closed \(name)\(tabsToo); \(open) opens it again"
  }

  static func away(_ reason: String) -> String {
    "\(reason); its entries stay on screen, and larder reopens it when it is available"
  }

  static func available(_ store: String) -> String {
    "\(store) is available again and was reloaded"
  }

  static func unresponsive(_ problem: String) -> String {
    "\(problem); its entries stay on screen"
  }

  static func responds(_ store: String) -> String { "\(store) responds again and was reloaded" }

  // MARK: Tabs

  static func tooManyTabs(_ count: Int, close: String) -> String {
    "there are \(count) tabs; \(close) closes one"
  }

  static let noStoreForTab = "no store is open; :new-tab LOCATION opens one"

  static func newTab(_ number: Int, next: String, previous: String) -> String {
    "opened the same store in tab \(number); \(next) and \(previous) switch tabs"
  }

  static func whichTab(count: Int) -> String { "give the number of a tab: :tab 1 to :tab \(count)" }

  static func noTab(_ typed: String, count: Int) -> String {
    "there is no tab “\(typed)”; the last one is \(count)"
  }

  static func onlyTab(quit: String) -> String { "this is the only tab; \(quit) quits larder" }

  static func onlyTab(newTab: String) -> String { "this is the only tab; \(newTab) opens another" }

  static func closedTab(marks: Int) -> String {
    let lost = marks == 1 ? "the mark of 1 entry was" : "the marks of \(entries(marks)) were"
    return "closed the tab" + (marks == 0 ? "" : "; \(lost) lost")
  }

  static func closedTabs(_ count: Int, since reason: String) -> String {
    let closed = count == 1 ? "its tab was closed" : "its \(count) tabs were closed"
    return reason + (count == 0 ? "" : "; \(closed)")
  }

  static let searchStopped = "the search stopped here; its results may have changed since"
  static let watchingAgain =
    "watching again; changes made while the tab was hidden are not marked"

  // MARK: Bookmarks and saved filters

  static let noJournalNoItems = "--no-journal disables bookmarks and saved filters"
  static let noItems =
    "bookmarks and saved filters are unavailable: this store exists only while larder runs"
  static let bookmarkRemoved = "bookmark removed"

  static func bookmarked(_ key: String, list: String) -> String {
    "bookmarked \(key); \(list) lists the bookmarks"
  }

  static func noBookmarks(bookmark: String) -> String {
    "this store has no bookmarks; \(bookmark) sets one at the selected entry"
  }

  static func noBookmark(list: String) -> String {
    "there is no such bookmark; \(list) lists those of this store"
  }

  static func notSaved(_ noun: String, _ problem: String) -> String {
    "the \(noun) could not be saved: \(problem)"
  }

  static func savedFilter(_ name: String, filter: String) -> String {
    "saved the filter as “\(name)”; \(filter) and Tab choose it"
  }

  static func removedFilter(_ name: String) -> String { "removed the saved filter “\(name)”" }

  static func noSavedFilter(_ name: String, _ advice: String) -> String {
    "this store has no saved filter “\(name)”; \(advice)"
  }

  static let noSavedFilters = "no filters are saved"

  static func noFilter(filter: String) -> String {
    "the list has no filter; \(filter) sets one"
  }

  // MARK: Themes

  static let noThemes = "there are no themes to choose from"

  static func keepTheme(_ name: String) -> String {
    "to keep it, add \"theme\": \"\(name)\" to the settings file"
  }

  static func noTheme(_ name: String, _ advice: String) -> String {
    "there is no theme “\(name)”; \(advice)"
  }

  /// Returns where to find the valid names, as advice about an unknown one.
  package static func listed(by command: String) -> String { "\(command) lists them" }

  // MARK: Prompts

  /// The labels of prompts.
  enum Label {
    static let bookmark = "bookmark: "
    static let compareWith = "compare with: "
    static let copyToStore = "copy to: "
    static let copyToKey = "copy to key: "
    static let deletePrefix = "delete prefix: "
    static let number = "number: "
    static let expires = "expires: "
    static let goTo = "go to: "
    static let moveToStore = "move to: "
    static let newKey = "new key: "
    static let newMember = "new member: "
    static let newPrefix = "new prefix: "
    static let password = "password: "
    static let open = "open: "
    static let rename = "rename: "
    static let search = "search: "
    static let sortBy = "sort by: "
    static let theme = "theme: "
  }
}
