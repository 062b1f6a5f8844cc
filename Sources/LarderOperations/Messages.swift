import Foundation
import LarderFormats
package import LarderModel

// The sentences of this target that users can see. Each starts in lower case and has no final full
// stop.

// MARK: Outcomes

extension OperationFailure {
  /// The outcome of a failure before the first write.
  package static let nothingWritten = outcome(0, "written")

  /// Returns a number of entries with its unit.
  package static func entries(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "entry" : "entries")"
  }

  /// Returns the outcome for a number of changed entries, as a clause: `2 entries were deleted`.
  package static func outcome(_ count: Int, _ verb: String) -> String {
    count == 0 ? "nothing was \(verb)" : "\(entries(count)) \(count == 1 ? "was" : "were") \(verb)"
  }
}

extension NameList {
  package static func others(_ count: Int) -> String {
    count > 0 ? " and \(Thousands.text(count)) more" : ""
  }
}

extension Rename {
  /// The outcome of a rename that changed nothing.
  package static let nothing = OperationFailure.outcome(0, "renamed")
}

extension Deletion {
  /// The outcome of a deletion that changed nothing.
  package static let nothing = OperationFailure.outcome(0, "deleted")

  /// Returns a clause about expired entries that were not deleted; empty if there are none.
  package static func remainder(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let others = "\(Thousands.text(count)) \(count == 1 ? "other was" : "others were")"
    return "; \(others) changed or deleted in the meantime"
  }
}

/// Clauses that become part of a message.
enum Messages {
  static func expires(_ spans: String) -> String { "expires: \(spans)" }

  static let noValue = "without a value"
  static let noReadableValue = "it has no value that can be read"
  static let copyRolledBack = "the copy was rolled back"
  static let notReported = "the store does not report what it stored"
  static let restored = "it was restored, and not moved"

  static func exists(_ key: String) -> String { "\(key) already exists" }

  static func exists(_ key: String, in location: StoreLocation, isMove: Bool) -> String {
    "\(key) already exists in \(location)" + (isMove ? "" : " with another value")
  }

  static func inAll(_ outcome: String) -> String { "in all, \(outcome)" }

  static func before(_ outcome: String) -> String { "\(outcome) before it" }

  static func partlyWritten(_ count: Int, of total: Int) -> String {
    "\(Thousands.text(count)) of \(OperationFailure.entries(total)) \(count == 1 ? "was" : "were") "
      + "written"
  }

  static func rolledBack(_ count: Int) -> String {
    let verb = count == 1 ? "was" : "were"
    return "\(OperationFailure.entries(count)) that \(verb) written \(verb) rolled back"
  }

  static func notRolledBack(_ count: Int, _ problem: String) -> String {
    "\(OperationFailure.outcome(count, "written")) and could not be rolled back: \(problem)"
  }

  static func copyNotRolledBack(_ problem: String) -> String {
    "the copy could not be rolled back: \(problem)"
  }

  static func rollBackLater(_ problem: String, change: Int64?) -> String {
    problem + (change.map { "; larder undo \($0) rolls it back" } ?? "")
  }

  static func notRestored(_ problem: String) -> String { "it could not be restored: \(problem)" }

  static func notMoved(
    _ count: Int, of total: Int, from origin: StoreLocation, to target: StoreLocation
  ) -> String {
    "the entries are in \(target) now, and "
      + (count == 0 ? "none was" : "\(Thousands.text(count)) of \(Thousands.text(total)) were")
      + " deleted in \(origin)"
  }

  static func neverExpire(_ key: EntryKey, _ count: Int) -> String {
    count == 1 ? "\(key.spoken) never expires" : "\(OperationFailure.entries(count)) never expire"
  }

  static func unchangedExpiry(_ key: EntryKey, _ count: Int) -> String {
    "\(neverExpire(key, count)), and \(count == 1 ? "is" : "are") unchanged"
  }

  // MARK: Exporting

  static let closedFolder = "a folder that you have no permission to read"

  static func notRestorable(_ losses: NameList) -> String {
    "import cannot fully restore "
      + "\(losses.count == 1 ? "an exported entry" : "\(losses.count) exported entries"): \(losses)"
  }

  static func incompleteExport(_ exported: Int, leftOut: [String]) -> String {
    "the export is incomplete: \(OperationFailure.outcome(exported, "exported")), and "
      + leftOut.joined(separator: "; ")
  }

  /// Returns a clause about the entries that are missing in an export.
  static func leftOut(_ names: NameList, _ reason: OmissionReason, of kind: StoreKind) -> String {
    let isOne = names.count == 1
    let cause =
      switch reason {
      case .withoutValue:
        "\(isOne ? "it has" : "they have") no value" + (kind.withoutValue.map { " (\($0))" } ?? "")
      case .unreadable: "\(isOne ? "it" : "they") cannot be read"
      case .unknownType: "import cannot write \(isOne ? "its type" : "their types")"
      case .invalidName:
        "\(isOne ? "its name is" : "their names are") not valid text (such as half a surrogate "
          + "pair) and would change"
      case .repeatedKey:
        "\(isOne ? "it repeats" : "they repeat") an earlier key, and import could not tell them "
          + "apart"
      case .gone: "\(isOne ? "it no longer exists" : "they no longer exist")"
      }
    return "\(names.count) left out because \(cause): \(names)"
  }

  // MARK: Importing

  static let itsKey = "its key"

  static func key(_ key: String) -> String { "the key \(key)" }

  static func line(_ number: Int, of name: String) -> String { "line \(number) of \(name)" }

  /// Returns a clause about the entries before the one that stopped an import.
  static func importedBefore(_ count: Int, of others: Int) -> String {
    guard count > 0 else { return OperationFailure.nothingWritten }
    if count < others {
      return "\(Thousands.text(count)) of the \(Thousands.text(others)) entries before it "
        + "\(count == 1 ? "was" : "were") imported; the others were already there"
    }
    return count == 1
      ? "the entry before it was imported"
      : "the \(Thousands.text(count)) entries before it were imported"
  }

  static func partlyImported(_ count: Int, of total: Int) -> String {
    count == 0 ? OperationFailure.nothingWritten : partlyWritten(count, of: total)
  }

  static func changedDuringImport(_ key: String?) -> String {
    "\(key ?? "an entry") changed during the import"
  }

  static func hasOtherValue(_ key: String?) -> String {
    "\(key ?? "an entry") already exists with another value"
  }

  // MARK: Warnings

  static func expired(_ key: String, at expires: Date) -> String {
    "\(key) expired at \(Timestamp.text(of: expires)), and its program may delete it; set another "
      + "expiry to keep it"
  }

  static func storedOther(_ key: String, in location: StoreLocation) -> String {
    "\(location) stored a different value under \(key)"
  }

  static func storedOther(_ columns: [String], of key: String, in location: StoreLocation) -> String
  {
    let names = columns.map { "“\($0)”" }.joined(separator: ", ")
    return "\(location) stored values in \(names) of \(key) that differ from those given"
  }
}

extension Store {
  /// The explanation for ``isUnreadable(_:)``, to follow the name of an entry.
  package static let unreadable =
    "contains invalid text, such as half of a surrogate pair, which would make a property list "
    + "unreadable for most programs"
}

// MARK: Errors

extension StoreError {
  static let shownSecrets = secrets("put into a store that shows its values")
  static let exportedSecrets = secrets("copy or export several at once")

  static func notRenamable(_ key: EntryKey) -> Self {
    .notSupported(
      "\(key.spoken) cannot be read, so larder cannot check that it is unchanged; \(Rename.nothing)"
    )
  }

  static func noNewEntries(_ store: Store) -> Self {
    .readOnly(
      "\(store.location) takes no new entries" + (store.readOnlyReason.map { ": \($0)" } ?? ""))
  }

  static func unreadable(_ key: EntryKey) -> Self {
    .notSupported("\(key.spoken) \(Store.unreadable); nothing was written")
  }

  static func notCopied(_ key: EntryKey, _ obstacle: String) -> Self {
    .notSupported(
      "\(key.spoken) cannot be copied: \(obstacle); nothing was written. Copy only the others")
  }

  static func sameKeys(_ key: EntryKey, in location: StoreLocation) -> Self {
    .notSupported(
      "several entries of \(location) have the key \(key.spoken), so their copies would collide; "
        + "nothing was written. Copy only the others")
  }

  static func tooLargeToCopy(maximum: Int) -> Self {
    .failed(
      "this is more than the \(maximum >> 20) MiB that can be copied at once; nothing was written. "
        + "Use larder export and larder import --no-journal instead")
  }

  static func moveLoses(_ left: TransferReport, in location: StoreLocation) -> Self {
    .notSupported(
      "\(location) cannot store \(left.list), which a move would lose; nothing was written. Copy the "
        + "entries instead")
  }

  static func moveLoses(_ losses: NameList) -> Self {
    .notSupported(
      "a move would lose a part of \(losses); nothing was written. Copy the entries instead")
  }

  static func storesOther(
    _ key: String, _ type: String, as stored: String?, in location: StoreLocation
  ) -> Self {
    let difference =
      switch stored {
      case nil: "store \(key) under another key"
      case type: "change the value of \(key)"
      case let stored?: "store \(key) as \(stored) instead of \(type)"
      }
    return .notSupported("\(location) would \(difference)")
  }

  static func moveDeletesCopy(
    _ key: EntryKey, others: Int, from origin: StoreLocation, to target: StoreLocation
  ) -> Self {
    .failed(
      "deleting \(key.spoken)\(others == 0 ? "" : " and \(Thousands.text(others)) more") in "
        + "\(origin) also deleted or changed it in \(target)")
  }

  static func tooMany(_ maximum: Int) -> Self {
    .failed(
      "more than \(Thousands.text(maximum)) entries match; nothing was written. Use a longer prefix"
    )
  }

  static func noExpiryToExtend(_ key: EntryKey, _ count: Int) -> Self {
    .notSupported(
      "\(Messages.neverExpire(key, count)), so there is no expiry to extend; nothing was written. "
        + "Leave out the + to count from now")
  }

  static func tooLargeToSort(_ name: String) -> Self {
    .failed(
      "\(name) is not sorted by key, and more than \(EntryComparison.maximumSortedSize >> 20) MiB "
        + "cannot be sorted; compare a part with larder diff --prefix")
  }

  static func unsorted(_ name: String) -> Self {
    .failed("the order of the keys of \(name) has changed; compare again")
  }
}

// MARK: Overview

extension OverviewSpan {
  /// The title in a table.
  package var title: String {
    switch self {
    case .expired, .later, .never: rawValue
    case .minute, .hour, .day: "next \(rawValue)"
    }
  }

  /// The title where there is little room.
  package var shortTitle: String {
    switch self {
    case .expired, .later, .never: rawValue
    case .minute: "1m"
    case .hour: "1h"
    case .day: "1d"
    }
  }
}

extension OverviewText {
  /// Returns the number of entries, their size and the number of expired entries, each as text.
  package static func summary(of overview: Overview, showsExpiry: Bool) -> [String] {
    let total = overview.total
    var parts = ["\(Thousands.text(total.count)) \(total.count == 1 ? "entry" : "entries")"]
    if let bytes = total.bytes {
      let unknown = total.count - total.sizedCount
      parts.append(
        ByteCount.text(bytes)
          + (unknown > 0 ? " (\(Thousands.text(unknown)) of unknown size)" : ""))
    }
    if showsExpiry { parts.append("\(Thousands.text(total.expired)) expired") }
    return parts
  }
}

extension EntryLineReader {
  /// The name of standard input in messages.
  package static let standardInput = "standard input"
}

extension InputError {
  static func notEntry(_ place: String, _ reason: any Error, isCutOff: Bool) -> Self {
    Self(
      .invalid,
      "\(place) is not an entry: \(reason)"
        + (isCutOff ? "; the input ends there and may be truncated" : ""),
      advice: "Correct it and import again")
  }

  static func notLine(_ place: String, isTooLong: Bool) -> Self {
    Self(
      .notLines, "\(place) is \(isTooLong ? "longer than any entry" : "not a JSON object")",
      advice: "Check that it is an export, with one entry per line")
  }

  static func unreadable(_ name: String, _ reason: String) -> Self {
    Self(.invalid, "\(name) cannot be read: \(reason)")
  }

  static func notFile(_ name: String) -> Self { Self(.invalid, "\(name) is not a regular file") }

  /// Returns the error for a stop, while reading after a line.
  static func interrupted(after place: String?) -> Self {
    Self(.interrupted, "interrupted" + (place.map { " after \($0)" } ?? ""))
  }

  static func repeatedKey(_ key: String, _ place: String, afterLine line: Int? = nil) -> Self {
    Self(
      .invalid,
      "\(place): \(key) occurs a second time here" + (line.map { ", after line \($0)" } ?? ""),
      advice: "Remove one of its lines and import again")
  }
}
