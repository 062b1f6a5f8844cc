import LarderBrowser
import LarderFormats
import LarderModel

// The sentences of this target that users can see. Texts in place of content are whole sentences;
// notes start in lower case and have no final full stop. The keys for typing are described in
// `HelpLayout`.

/// The messages, notes and titles of views.
enum Messages {
  private typealias Counts = LarderBrowser.Messages

  // MARK: Browser

  static let chooseStore = "Choose a store."
  static let noStoreOpen = "no store open"
  static let tabsWhileEditing =
    "cannot switch tabs while editing: Ctrl-S saves the text, Esc leaves it"
  static let tabsBehindOverlay = "cannot switch tabs: Esc closes what is open here"
  static let noClipboard = "this terminal does not support copying"

  static func screenTitle(_ store: String) -> String { "larder – \(store)" }

  static func nothingOpen(open: String) -> String {
    "Nothing is open. Press \(open) and name a file or a folder."
  }

  static func tooLargeToCopy(bytes count: Int, capacity: Int) -> String {
    "not copied: \(Thousands.text(count)) bytes are more than the \(Thousands.text(capacity)) that "
      + "terminals accept. :export FILE writes them to a file, and larder get prints them"
  }

  static func noTheme(_ name: String, _ advice: String) -> String {
    "there is no theme “\(name)”; \(advice)"
  }

  static func repeated(_ text: String, _ count: Int) -> String {
    count > 1 ? "\(text) (\(count) times)" : text
  }

  // MARK: Counts and positions

  static func position(_ number: Int, of count: Int) -> String {
    "\(Thousands.text(number)) of \(Thousands.text(count))"
  }

  static func position(_ shown: Range<Int>, of count: Int) -> String {
    "\(Thousands.text(shown.lowerBound + 1))–\(Thousands.text(shown.upperBound)) of "
      + Thousands.text(count)
  }

  static func about(_ count: Int) -> String { "about \(Thousands.text(count))" }

  static func aboutEntries(_ count: Int) -> String { "\(about(count)) entries" }

  static func manyKeys(_ count: Int) -> String { "\(Thousands.text(count)) keys…" }

  // MARK: Progress

  static let opening = "opening…"
  static let writing = "writing…"
  static let reading = "reading…"
  static let counting = "counting…"
  static let stopping = "stopping…"
  static let undoing = "undoing…"
  static let redoing = "redoing…"

  /// Returns the progress of a read or change, which Esc stops: `reading 12 of 40, Esc stops`.
  static func progress(_ verb: String, _ count: Int? = nil, of total: Int? = nil) -> String {
    guard let count else { return "\(verb)…, Esc stops" }
    let part = total.map { position(count, of: $0) } ?? Thousands.text(count)
    return "\(verb) \(part), Esc stops"
  }

  static func progress(_ verb: String, _ count: Int, ofAbout total: Int?) -> String {
    let whole = total.map { $0 > count ? " of \(about($0))" : "" } ?? ""
    return "\(verb) \(Thousands.text(count))\(whole), Esc stops"
  }

  // MARK: Status line

  static func scope(_ prefix: String) -> String { "in \(prefix)" }

  static func only(_ state: String) -> String { "only \(state)" }

  static func rows(_ position: String) -> String { "rows \(position)" }

  static func watching(_ summary: String) -> String {
    summary.isEmpty ? "watching" : "watching \(summary)"
  }

  static func tab(_ number: Int, of count: Int) -> String { "tab \(number)/\(count)" }

  static func marked(_ count: Int) -> String { "\(Thousands.text(count)) marked" }

  static func range(_ count: Int?) -> String {
    count.map { "range of \(Thousands.text($0))" } ?? "range…"
  }

  // MARK: Hints

  /// The labels of key hints that are longer than a word.
  enum Hint {
    static let markToHere = "mark to here"
    static let noRange = "no range"
    static let markStore = "mark or unmark"
    static let allEntries = "all entries"
    static let allColumns = "all columns"
    static let onlyThese = "only these"
    static let stopWatching = "stop watching"
    static let nextColumn = "next column"
    static let columns = "as columns"
    static let list = "as a list"
    static let newLine = "new line"
    static let backToText = "back to the text"
    static let leaveIt = "leave it"
    static let undoIt = "undo it"
    static let redoIt = "redo it"

    static let leaveScope = "leave prefix"

    static func edit(_ column: String) -> String { "edit \(column)" }

    static func marked(_ count: Int) -> String { "\(Messages.marked(count)):" }

    static func mark(these count: Int?) -> String {
      count == 1 ? "mark this one" : "mark these" + (count.map { " \(Thousands.text($0))" } ?? "")
    }

    static func type(_ name: String) -> String { "type: \(name)" }
  }

  // MARK: List

  static let readingList = "Reading…"
  static let searchingList = "Searching…"
  static let emptyCache = "The cache is empty. The backing store is unchanged."

  static func hidden(_ count: Int) -> String { "\(count) hidden" }

  static func hidden(_ names: [String]) -> String {
    "\(hidden(names.count)): \(names.joined(separator: ", "))"
  }

  static func before(_ count: Int) -> String { "← \(count) more" }

  static func after(_ count: Int) -> String { "\(count) more →" }

  static func stopped(after count: Int) -> String {
    "Stopped after \(Counts.entries(count)). ↓ continues."
  }

  static func noEntry(_ state: ExpiryStatus.State) -> String {
    let what =
      switch state {
      case .fresh: "is fresh"
      case .soon: "expires soon"
      case .expired: "has expired"
      case .never: "never expires"
      }
    return "No entry here \(what). :show all lists all entries."
  }

  static func noKey(withPrefix prefix: String) -> String {
    "No key begins with “\(prefix)”. Backspace lists more."
  }

  static func noValue(matching filter: String) -> String { "No value matches “\(filter)”." }

  static func noMatch(_ filter: String, isRow: Bool, doubt: String?, open: String?) -> String {
    "No \(isRow ? "row" : "key") matches “\(filter)”" + (doubt.map { ": \($0)" } ?? "")
      + (doubt?.hasSuffix("?") == true ? "" : ".")
      + (open.map { " \($0) searches the values." } ?? "")
  }

  static func emptyStore(add: String?, open: String) -> String {
    "This store is empty. Press " + (add.map { "\($0) to add an entry, or " } ?? "")
      + "\(open) to open another."
  }

  // MARK: Value

  static let countingBranch = "Counting the entries of this branch…"
  static let uncountedBranch = "This store cannot count the entries of a branch."

  static func secret(show: String, copy: String) -> String {
    "This value is a hidden secret. \(show) shows it for 30 seconds, \(copy) copies it for 45."
  }

  static func largeBranch(_ count: Int) -> String {
    "At least \(Counts.keys(count)) in this branch."
  }

  static func branch(_ count: Int, size: String?) -> String {
    "\(Counts.keys(count)) in this branch" + (size.map { ", \($0) of values." } ?? ".")
  }

  static func branchHelp(
    open: String, isOpen: Bool, openHere: String, delete: String?
  ) -> String {
    "\(open) \(isOpen ? "closes" : "opens") it, \(openHere) lists only these keys"
      + (delete.map { ", \($0) deletes them." } ?? ".")
  }

  static let justExpired = "just expired"

  static func fetched(_ age: String) -> String { "fetched \(age) ago" }

  static func expiry(_ duration: String, isExpired: Bool) -> String {
    isExpired ? "expired \(duration) ago" : "expires in \(duration)"
  }

  // MARK: Editor

  static func form(isHex: Bool) -> String { isHex ? " as hex" : " as text" }

  static func notWritten(_ problem: String) -> String { "not written: \(problem)" }

  static let writingRow = "Writing…"

  static func newRow(of title: String) -> String { "New row of \(title)" }

  // MARK: Deletion

  static let lastingDeletion = "Deleting a secret cannot be undone."
  static let delete = "Delete"
  static let deleting = "Deleting…"

  static func delete(_ title: String, from place: String?) -> String {
    "Delete \(title)\(place.map { " from \($0)" } ?? "")?"
  }

  static func deletesAll(not part: String) -> String {
    "This deletes the whole entry, not only \(part)."
  }

  static func note(_ doubt: String) -> String { "Note that \(doubt)." }

  // MARK: Comparison

  static let compare = "Compare"
  static let compareStores = "Compare stores"
  static let stillEmptyLog = "no changes by other programs yet"
  static let andMore = " and more"
  static let notShown = "(not shown)"

  static func difference(_ number: Int, of count: Int) -> String {
    "difference \(position(number, of: count))"
  }

  static func sameLines(_ count: Int) -> String { "⋯ \(Thousands.text(count)) lines are the same" }

  static func equal(_ count: Int) -> String { "\(Thousands.text(count)) equal" }

  static func unreadable(_ count: Int) -> String { "\(Thousands.text(count)) unreadable" }

  static func listed(first count: Int) -> String {
    "the first \(Thousands.text(count)) are listed"
  }

  static func compareAgain(_ again: String) -> String { "stopped: \(again) compares again" }

  // MARK: Conflict

  static let changedInBackingStore = "Changed in the backing store"
  static let changedByOthers = "Changed by another program"

  static func changedByLarder(_ change: Int64) -> String { "Changed by larder (change \(change))" }

  static func differs(_ key: String, _ participle: String) -> String {
    "\(key) differs in the backing store. Nothing was \(participle)."
  }

  static func changed(_ key: String, sinceChange change: Int64?, _ participle: String) -> String {
    "\(key) changed \(change.map { "after change \($0)" } ?? "since you read it"). Nothing was "
      + "\(participle)."
  }

  static func changed(_ key: String) -> String { "\(key) was changed" }

  // MARK: Findings

  static let findEverywhere = "Find everywhere"

  static func found(_ count: Int?, hasMore: Bool, failures: Int) -> String {
    (count.map { "\(hasMore ? "at least " : "")\(Thousands.text($0)) found" } ?? "nothing found")
      + (failures == 0 ? "" : ", \(failures) not searched")
  }

  static func text(_ text: String, inStores count: Int) -> String {
    "“\(text)” in \(count) \(count == 1 ? "store" : "stores")"
  }

  static func searching(_ found: String) -> String { "searching, \(found), Esc stops" }

  static func findings(_ count: Int, with text: String) -> String {
    "\(Thousands.text(count)) with “\(text)”"
  }

  // MARK: Help

  static let helpTitle = "Keys and commands"
  static let noHelpMatch = "no match"

  static func helpMatch(_ number: Int, of count: Int) -> String { "match \(number) of \(count)" }

  // MARK: History

  static let unreadableChanges = "the changes cannot be read"
  static let noChanges = "no changes of this store are recorded"
  static let damagedChange = "cannot be undone: damaged"
  static let partlyUndone = "partly undone"
  static let undone = "undone"

  static func change(_ number: Int, of count: Int) -> String {
    "\(position(number, of: count)) \(count == 1 ? "change" : "changes")"
  }

  /// Returns that a change is the next one for the command of a key.
  static func next(_ key: String) -> String { "next: \(key)" }

  static func possible(_ participle: String) -> String { "can be \(participle)" }

  static func unchecked(_ participle: String) -> String { "is checked when \(participle)" }

  static func conflict(_ key: String, later: Int64?) -> String {
    "conflict: \(key) changed since" + (later.map { " (change \($0))" } ?? "")
  }

  static func refused(_ participle: String, _ problem: String) -> String {
    "cannot be \(participle): \(problem)"
  }

  // MARK: Overview

  static let unknownType = "(unknown)"
  static let noPrefix = "(no prefix)"
  static let unsortedKeys = "unsorted keys: prefixes may have more"

  static func others(_ count: Int) -> String {
    "(\(Thousands.text(count)) \(count == 1 ? "other" : "others"))"
  }

  static func by(_ order: String) -> String { "by \(order)" }

  static func incomplete(again: String) -> String { "stopped: incomplete; \(again) scans again" }

  static func outdated(again: String) -> String { "changed since; \(again) scans again" }

  static func types(_ names: [String]) -> String { "types: \(names.joined(separator: "  "))" }
}
