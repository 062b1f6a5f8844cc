import Foundation
import LarderDocuments
import LarderModel
import LarderOperations
import LarderStores

// The sentences about stores and entries that several commands share. Each starts in lower case and
// has no final full stop.

// MARK: Stores

extension StoreError {
  /// Returns the error for a change to a read-only store, with its outcome as a clause.
  static func readOnly(_ store: Store, _ outcome: String) -> Self {
    .readOnly(
      "\(store.location) is read-only" + (store.readOnlyReason.map { ": \($0)" } ?? "")
        + "; \(outcome)")
  }

  static func temporary(_ location: StoreLocation) -> Self {
    .notSupported(
      "\(location) exists only while larder runs, so nothing was changed; use the browser, or name a "
        + "file")
  }

  static func notTimedCache(_ location: StoreLocation) -> Self {
    .notSupported("\(location) is not a timed cache; nothing was changed")
  }
}

extension Failure {
  static func notLiveCache(_ location: StoreLocation) -> Self {
    Failure(.refused, "\(location) is not a cache of a live process; \(Messages.nothingDone)")
  }
}

// MARK: Entries

extension Failure {
  static func noEntry(_ typed: String, in location: StoreLocation, hint: String?) -> Self {
    Failure(.nothing, "\(location) has no entry \(typed)" + (hint.map { "; \($0)" } ?? ""))
  }

  static func noMatch(in location: StoreLocation, prefix: String? = nil) -> Self {
    Failure(
      .nothing,
      "no entry in \(location) " + (prefix.map { "has the prefix \($0)" } ?? "matches"))
  }

  static func repeatedName(
    _ name: UnnumberedName, isTwice: Bool, in location: StoreLocation
  ) -> Self {
    Failure(
      .refused,
      "\(name.spoken) occurs \(isTwice ? "twice" : "several times") in \(location). Its keys are "
        + name.keys(isTwice: isTwice))
  }

  static func conflict(_ cause: String, _ outcome: String) -> Self {
    Failure(.conflict, "\(cause); \(outcome)")
  }

  /// Returns the failure with advice as a sentence after its message.
  func advising(_ advice: String) -> Self {
    saying(message + (message.hasSuffix("?") ? " " : ". ") + advice)
  }

  /// Returns the failure with another message, such as one that contains its own.
  func saying(_ message: String) -> Self { Failure(code, message, name: name) }
}

extension Messages {
  static let nothingDone = "nothing was done"
  static let nothingListed = "nothing was listed"
  static let anEntry = "an entry"

  /// Returns a clause about a key, which is quoted for a shell.
  static func hint(_ notation: String) -> String {
    "for the string itself, type \(notation)"
  }

  static func changed(_ key: String, isInBackingStore: Bool) -> String {
    isInBackingStore
      ? "\(key) was changed in the backing store; touch --refresh refreshes it"
      : "\(key) was changed since it was read"
  }

  static func gone(_ typed: String?) -> String {
    "\(typed ?? "one of the entries") no longer exists"
  }

  static func stopped(after count: Int, _ verb: String) -> String {
    count == 0
      ? OperationFailure.outcome(0, verb) : "\(Thousands.text(count)) of them were \(verb)"
  }

  /// Returns a clause about entries that were left alone by a copy or an import; empty for none.
  static func same(_ count: Int) -> String {
    count == 0 ? "" : "; \(Thousands.text(count)) \(count == 1 ? "was" : "were") already there"
  }

  static func dataAsText(_ count: Int, in location: StoreLocation) -> String {
    "\(location) cannot store data: \(Thousands.text(count)) \(count == 1 ? "entry was" : "entries were") "
      + "stored as text with the same bytes"
  }

  static func left(_ left: TransferReport, in location: StoreLocation) -> String {
    "\(location) cannot store everything; left out: \(left.list)"
  }

  static func expiriesNotSet(_ problem: StoreError) -> String {
    "the expiries could not be set: \(problem.message)"
  }

  static func otherExpiries(_ names: NameList) -> String {
    let (subject, those) =
      names.count == 1
      ? ("an entry was", "its expiry") : ("\(names.count) entries were", "their expiry")
    return "\(subject) written, but the program sets \(those) itself: \(names)"
  }

  static func password(of server: String) -> String { "password of \(server)" }
}

// MARK: Expiry

extension Failure {
  static func noExpiry(_ location: StoreLocation) -> Self {
    Failure(.refused, "\(Messages.noExpiry(location)); \(OperationFailure.nothingWritten)")
  }

  static func unknownZone(_ doubt: String, _ outcome: String) -> Self {
    Failure(
      .refused,
      "\(doubt); \(outcome). Add --expires-zone UTC, local or a name such as Europe/Berlin")
  }
}

extension Messages {
  static let disabledExpiry = "--expires-column none turns expiry off; omit it"
  static let fileExpiry =
    "To give its files a TTL, set \"ttl\" in the settings, or pass --ttl to ls or rm"
  static let rowExpiry = "larder info explains why; choose a column with --expires-column"
  static let expiriesNotReported = "expiry is not reported"

  static func noExpiry(_ location: StoreLocation) -> String {
    "larder found no expiry in \(location)"
  }

  static func assumedZone(_ doubt: String) -> String { "\(doubt); --expires-zone sets another" }

  static func doubt(
    _ doubt: String, _ outcome: String, of expiry: CollectionExpiry, remedy: String
  ) -> String {
    "\(doubt); \(outcome). If \(expiry.column) is the expiry, in "
      + "\(expiry.lifetime?.spoken ?? expiry.unit.spoken), add \(remedy)"
  }

  /// Returns a question with the doubts about the expiry that selects the entries.
  static func question(_ question: String, doubts: [String] = [], isFinal: Bool = false) -> String {
    let notes = doubts.map { " Note that \($0)." }.joined()
    return question + notes + (isFinal ? " This cannot be undone." : "")
  }

  static func doubts(_ doubts: [String], options: String) -> String {
    doubts.joined(separator: "; ") + (options.isEmpty ? "" : "; \(options) settles it")
  }

  static func rounded(_ key: String, to expires: Date, isLater: Bool, others: Int) -> String {
    "\(key) expires at \(Timestamp.text(of: expires)): the store holds no finer times, so it was "
      + "rounded \(isLater ? "up" : "down, because it has passed")"
      + (others == 0 ? "" : "; so were \(Thousands.text(others)) more")
  }
}
