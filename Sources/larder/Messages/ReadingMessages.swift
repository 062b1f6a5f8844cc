import Harmony
import LarderJournal
import LarderModel
import LarderOperations
import LarderStores

// The sentences of the commands that only read. Each starts in lower case and has no final full
// stop.

// MARK: ls

extension Failure {
  static func notRegex(_ pattern: String) -> Self {
    usage("“\(pattern)” is not a valid regular expression")
  }

  static func noColumn(_ name: String, in location: StoreLocation, columns: [String]) -> Self {
    usage(
      "\(location) has no column \(name); "
        + SpellingSuggestion.advice(
          for: name, in: columns, otherwise: "its columns are \(columns.joined(separator: ", "))"))
  }

  static func incompleteFilter(_ text: String) -> Self {
    usage("“\(text)” is not a complete filter, such as total>100 or \"two words\"")
  }
}

extension Messages {
  static func incompleteList(_ unreadable: NameList) -> String {
    "the list is incomplete; cannot read \(OperationFailure.entries(unreadable.count)): "
      + "\(unreadable)"
  }
}

// MARK: get

extension Failure {
  static let bytesToTerminal = usage(
    "the value could control the terminal; redirect the output, or use --as hex")
}

extension Messages {
  static func missingValueFile(_ key: String) -> String {
    "the value file of \(key) is missing; this is the row without it"
  }
}

// MARK: export

extension Failure {
  static func secretsInExport(_ location: StoreLocation) -> Self {
    Failure(
      .refused,
      "the values of \(location) are secrets, and an export would contain them in plain text; "
        + "nothing was exported. --with-secrets exports them")
  }
}

// MARK: diff

extension Failure {
  static let twoStreams = usage(
    "only one of the two can be standard input; give a file for the other")
}

extension Messages {
  static let usualForm = "as usual"
  static let notShown = "(not shown)"

  static func differences(_ parts: [String], same: Int) -> String {
    "\(parts.joined(separator: ", ")); \(Thousands.text(same)) \(same == 1 ? "is" : "are") the same"
  }

  static func notCompared(_ unreadable: NameList) -> String {
    "\(OperationFailure.entries(unreadable.count)) could not be compared: \(unreadable)"
  }
}

// MARK: info

extension Messages {
  static let readOnlyAbility = "only be read"
}

// MARK: stats

extension Messages {
  static let inexactPrefixes =
    "The keys are not sorted: a prefix may have more entries than counted."
  static let noPrefixes = "No prefixes found: --delimiter C sets the separator in keys."

  static func partialOverview(_ count: Int) -> String {
    let entries = "\(Thousands.text(count)) \(count == 1 ? "entry" : "entries")"
    return interrupted("the overview covers \(entries)")
  }
}

// MARK: watch

extension Failure {
  static func notWatchable(_ store: Store) -> Self {
    Failure(
      .refused,
      "\(store.location) cannot be watched: "
        + (store.hidesValues
          ? "its values are secrets, which are read only on request"
          : "no other process can change it"))
  }
}

extension Messages {
  static let unknownChange = "unknown: something changed"

  static func watching(_ count: Int, of location: StoreLocation) -> String {
    "watching \(OperationFailure.entries(count)) of \(location); Ctrl-C stops"
  }

  static func watchingLargeStore(_ location: StoreLocation, maximum: Int) -> String {
    "\(location) has more than \(Thousands.text(maximum)) entries: larder reports only that "
      + "something changed; --prefix watches fewer"
  }

  static func notReread(_ error: StoreError) -> String {
    "\(error.message). larder reads it again when it changes"
  }
}

// MARK: screen, completions and demo

extension Failure {
  static func invalidKeys(_ reason: any Error) -> Self { usage("--keys: \(reason)") }

  static func invalidSize(_ text: String) -> Self {
    usage("--size takes columns and rows such as 100x30, not “\(text)”")
  }

  static func missingShell(_ shells: [String]) -> Self {
    usage("missing shell; choose one of \(shells.joined(separator: ", "))")
  }

  static func unknownShell(_ name: String, _ shells: [String]) -> Self {
    let advice = SpellingSuggestion.advice(
      for: name, in: shells, otherwise: "the shells are \(shells.joined(separator: ", "))")
    return usage("there are no completions for “\(name)”; \(advice)")
  }

  static func untrustedFolder(_ refusal: TrustedPath.Refusal) -> Self {
    Failure(.store, "the samples cannot be created: \(refusal)")
  }

  static func noFolder(_ path: String, _ reason: String) -> Self {
    Failure(.store, "\(path) cannot be created: \(reason); choose another folder")
  }

  static func noFolder(in path: String, _ reason: String) -> Self {
    Failure(.store, "no folder can be created in \(path): \(reason); choose another one")
  }
}

extension Messages {
  static func sample(_ location: String) -> String { "sample: \(location)" }
}

// MARK: log, undo and redo

extension Failure {
  static func noJournal(to verb: String) -> Self {
    usage("--no-journal records no changes, so there is nothing to \(verb)")
  }

  static func noChanges(of scope: JournalScope?) -> Self {
    Failure(
      .nothing, "no changes\(scope.map { " of \($0)" } ?? "") are recorded")
  }

  static func noChange(_ number: Int64) -> Self {
    Failure(.nothing, "the journal has no change \(number); larder log lists them")
  }

  /// Returns the failure to redo a change, which is given in words with its number.
  static func notUndone(_ change: String) -> Self {
    Failure(.nothing, "\(change), has not been undone; there is nothing to redo")
  }

  static func alreadyUndone(_ change: String, _ number: Int64) -> Self {
    Failure(.nothing, "\(change), is already undone; larder redo \(number) redoes it")
  }

  static func nothingToReplay(_ command: String, in scope: JournalScope?) -> Self {
    Failure(.nothing, Messages.nothingToReplay(command, in: scope))
  }

  static func changedSinceUndo(
    in scope: JournalScope?, _ change: String, _ number: Int64
  ) -> Self {
    Failure(
      .nothing,
      Messages.nothingToReplay("redo", in: scope)
        + ", because it changed after the last undo. \(change.capitalizedFirst), was undone before "
        + "that: larder redo \(number) redoes it")
  }

  static func endedProcess(_ location: StoreLocation) -> Self {
    Failure(.refused, "\(location) ended with its process")
  }

  static func changedSince(_ key: String?, _ outcome: String) -> Self {
    conflict("\(key ?? Messages.anEntry) changed since then", outcome)
  }

  func replayed(_ change: String, _ verb: String) -> Self {
    saying("\(change), is \(verb): \(message)")
  }

  func notReplayed(_ change: String, _ verb: String) -> Self {
    saying("\(change), cannot be \(verb): \(message)")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Messages {
  static let listsChanges = "larder log lists the changes"
  static let unreadableKey = "(unreadable key)"

  static func change(_ number: Int64, _ text: String) -> String { "change \(number), \(text)" }

  static func nothingToReplay(_ command: String, in scope: JournalScope?) -> String {
    "there is nothing to \(command)" + (scope.map { " in \($0)" } ?? "")
  }

  static func replayed(_ change: String, _ verb: String) -> String { "\(verb): \(change)" }

  static func nextChange(_ command: String) -> String {
    "It is still the next change to \(command): larder log lists the others, and larder \(command) "
      + "NUMBER picks one"
  }

  static func replayAgain(_ command: String) -> String {
    "Run larder \(command) again for the change before it"
  }

  static func unreadableChange(_ number: Int64) -> String {
    "the key of change \(number) cannot be read: the journal is damaged there or was written by a "
      + "newer larder; the change cannot be undone"
  }

  /// Returns the sentence about a change that turned out not to need a replay.
  static func passed(
    _ change: String, _ fate: ChangeFate, _ verb: String, advice: String?
  ) -> String {
    "\(change), \(fate.text(verb)); nothing was \(verb) now" + (advice.map { ". \($0)" } ?? "")
  }

  /// Returns the line of an entry that changed after the change to be replayed.
  static func conflict(_ key: String, expected: String, found: String) -> String {
    "\(key): expected \(expected), found \(found)"
  }

  static func expectedFingerprint(_ fingerprint: Fingerprint) -> String {
    "the fingerprint \(fingerprint)"
  }

  static func foundFingerprint(_ fingerprint: Fingerprint) -> String {
    " with the fingerprint \(fingerprint)"
  }
}

/// The reason why a change no longer has to be undone or redone.
enum ChangeFate {
  case discarded, removed, notBegun, finished, replayedByAnother, reverted

  fileprivate func text(_ verb: String) -> String {
    switch self {
    case .discarded: "was interrupted before it changed anything, and was discarded"
    case .removed:
      "was already \(verb) by another program, or removed to make room for newer changes"
    case .notBegun: "was being undone by a larder that was interrupted before it changed anything"
    case .finished: "was already \(verb) by a larder that was interrupted"
    case .replayedByAnother: "has just been \(verb) by another larder"
    case .reverted: "was already \(verb) by another program"
    }
  }
}
