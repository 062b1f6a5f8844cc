import LarderFormats
import LarderModel
import LarderOperations
import LarderStores

// The sentences of the commands that write. Each starts in lower case and has no final full stop.

// MARK: put

extension Failure {
  static let valueNotGivenOnce = usage(
    "give the value once: as a word, with --stdin or with --file")
  static let invalidFingerprint = usage(
    "--expect takes the 32 hexadecimal digits of a fingerprint")

  static func programSetsTTL(_ key: String) -> Self {
    Failure(
      .refused, "\(key) was written, but the program sets its TTL itself: --ttl has no effect")
  }

  static func noSuchType(_ type: String, in store: Store) -> Self {
    Failure(
      .refused,
      "\(store.location) has no values of type \(type); "
        + "\(OperationFailure.nothingWritten). Its types are "
        + (store.typesOfNewValues.map(\.rawValue) + store.kind.newForms.keys.sorted())
        .joined(separator: ", "))
  }

  /// Returns the failure for the key null, whose text may be possible as a key.
  static func nullKey(isTextPossible: Bool) -> Self {
    usage(
      "null means no key, but a new entry needs one; \(OperationFailure.nothingWritten)"
        + (isTextPossible ? ". For the text null, type '\"null\"'" : ""))
  }

  static func notUTF8(_ key: String, isKnown: Bool, _ type: StoredType) -> Self {
    usage(
      "the value is not UTF-8, but \(isKnown ? "\(key) is" : "should be") of type \(type.rawValue); "
        + "\(OperationFailure.nothingWritten). --type data accepts any bytes")
  }

  static func notOfType(_ type: StoredType, _ error: ValueText.Failure, key: String?) -> Self {
    let advice = key.map { ". \($0) has that type; --type changes it" } ?? ""
    return usage(
      "invalid value for type \(type.rawValue): \(error); \(OperationFailure.nothingWritten)"
        + advice)
  }

  static func notRow(_ error: ValueText.Failure, columns: [String]) -> Self {
    notOfType(.record, error, key: nil).advising(Messages.rowForm(columns))
  }

  static func notRow(in location: StoreLocation, columns: [String]) -> Self {
    usage(
      "\(location) holds rows, but the value is not a row; \(OperationFailure.nothingWritten)"
    ).advising(Messages.rowForm(columns))
  }

  func expiryNotSet(of key: String) -> Self {
    saying("\(key) was written, but its expiry could not be set: \(message)")
  }

  static func unreadableInput(_ name: String) -> Self {
    usage("\(name) cannot be read; check the path and its permissions")
  }

  static func tooLarge(_ name: String, limit: Int) -> Self {
    Failure(
      .store,
      "\(name) has more than \(limit >> 20) MiB, too much for one value; "
        + "\(OperationFailure.nothingWritten). --file accepts more")
  }

  static func tooLargeForJournal(_ name: String, limit: Int) -> Self {
    Failure(
      StoreError.journal(
        "\(name) has more than the \(limit >> 20) MiB that the journal can store; "
          + "\(OperationFailure.nothingWritten). --no-journal writes it without undo"))
  }
}

extension Messages {
  static let replacesSecret = "this replaces the secret and cannot be undone"
  static let ttlAndRecord =
    "--ttl sets when the entry expires; --type record takes all its columns as JSON"

  static func takesJSON(_ type: StoredType) -> String { "--type \(type.rawValue) takes it as JSON" }

  static func noStoredExpiry(_ key: String, in location: StoreLocation) -> String {
    "\(location) stores no expiry: \(key) expires at that time only if its files have a TTL, set "
      + "with --ttl or in the settings"
  }

  static func staysNull(_ key: String) -> String {
    "\(key) is still null; --type text stores empty text"
  }

  static func textNull(_ key: String) -> String {
    "\(key) was null and is now the text null; --type null stores null"
  }

  static func storedAsData(_ key: String) -> String {
    "the value is not UTF-8, so \(key) was stored as data instead of text"
  }

  static func storedAsText(_ key: String) -> String {
    "\(key) was stored as text, as typed; with --type data, hexadecimal digits are bytes"
  }

  static func brokenJSON(_ names: [String]) -> String {
    "\(names.joined(separator: " of ")) was JSON and is no longer valid JSON"
  }

  static func rowForm(_ columns: [String]) -> String {
    let fields =
      columns.prefix(4).map { "\(JSONText.quote($0)): …" } + (columns.count > 4 ? ["…"] : [])
    return "Write a row as a JSON object of its columns, such as "
      + "'{\(fields.joined(separator: ", "))}'"
  }

  static func sameKey(_ typed: String, as other: String) -> String {
    "the table treats \(typed) as the existing key \(other)"
  }

  static func existsAlready(_ key: String, _ fingerprint: Fingerprint?) -> String {
    "\(key) already exists" + spoken(fingerprint)
  }

  static func changed(_ cause: String, _ fingerprint: Fingerprint?) -> String {
    cause + spoken(fingerprint)
  }

  private static func spoken(_ fingerprint: Fingerprint?) -> String {
    fingerprint.map { " (fingerprint \($0))" } ?? ""
  }
}

// MARK: rm

extension Failure {
  static let nothingChosenToDelete = usage("choose what to delete: keys, --prefix P or --expired")
}

extension Messages {
  static func deleteSecrets(_ count: Int, in location: StoreLocation) -> String {
    question(
      "Delete \(count == 1 ? "the secret" : "\(Thousands.text(count)) secrets") from \(location)?",
      isFinal: true)
  }

  static func delete(
    _ count: Int, in location: StoreLocation, doubts: [String], isFinal: Bool
  ) -> String {
    question("Delete \(entries(count, in: location))?", doubts: doubts, isFinal: isFinal)
  }

  static func evict(_ count: Int, in location: StoreLocation) -> String {
    question("Evict \(entries(count, in: location)) from the cache?")
  }

  static func deleted(_ names: NameList) -> String {
    names.count == 0 ? Deletion.nothing : "deleted \(names)"
  }

  static func deleted(_ count: Int, in location: StoreLocation, of total: Int? = nil) -> String {
    "deleted \(entries(count, in: location))" + Deletion.remainder((total ?? count) - count)
  }

  static func evicted(_ count: Int, in location: StoreLocation) -> String {
    "evicted \(entries(count, in: location)); the backing store is unchanged"
  }

  private static func entries(_ count: Int, in location: StoreLocation) -> String {
    "\(OperationFailure.entries(count)) from \(location)"
  }
}

// MARK: mv

extension Messages {
  static func rename(_ count: Int, in location: StoreLocation) -> String {
    question("Rename \(OperationFailure.entries(count)) in \(location)?")
  }

  static func renamed(_ count: Int, in location: StoreLocation) -> String {
    "renamed \(OperationFailure.entries(count)) in \(location)"
  }
}

// MARK: touch

extension Failure {
  static let nothingChosenToTouch = usage("choose entries: keys, --prefix P or --expired")
  static let noExpiryChosen = usage(
    "choose one of --ttl DURATION, --at DATE, --never or --refresh")

  static func skippedTime(_ text: String, in zone: ExpiryZone) -> Self {
    usage(
      "\(text) does not exist in \(zone.name), where clocks skip it; \(OperationFailure.nothingWritten)"
        + ". Give another time, or one with a zone, such as Z")
  }

  static func notExpiry(_ option: OptionSpec, _ problem: String) -> Self {
    usage("\(option.name): \(problem)")
  }
}

extension Messages {
  static func refresh(_ count: Int, in location: StoreLocation) -> String {
    question("Refresh \(OperationFailure.entries(count)) in \(location) from the backing store?")
  }

  static func changeExpiry(_ count: Int, in location: StoreLocation, doubts: [String]) -> String {
    question(
      "Change the expiry of \(OperationFailure.entries(count)) in \(location)?", doubts: doubts)
  }

  static func notInBackingStore(_ key: String) -> String {
    "\(key) is no longer in the backing store; it was removed from the cache"
  }
}

// MARK: cp

extension Failure {
  static func nothingToCopy(from location: StoreLocation, isIncomplete: Bool) -> Self {
    Failure(isIncomplete ? .store : .nothing, "\(location) has nothing to copy")
  }
}

extension Messages {
  static let replaceReplaces = "--replace replaces it"

  static func copied(_ count: Int, to location: StoreLocation, same: Int, isDry: Bool) -> String {
    "\(isDry ? "would copy" : "copied") \(OperationFailure.entries(count)) to \(location)"
      + Messages.same(same)
  }

  static func partlyCopied(_ losses: NameList) -> String {
    "a part of \(OperationFailure.entries(losses.count)) could not be copied: \(losses)"
  }

  static func notCopied(_ omitted: NameList) -> String {
    "left out \(OperationFailure.entries(omitted.count)) without a value, such as links and special "
      + "files: \(omitted)"
  }
}

// MARK: import

extension Messages {
  static func imported(
    _ count: Int, into location: StoreLocation, same: Int, isDry: Bool
  ) -> String {
    "\(isDry ? "would import" : "imported") \(OperationFailure.entries(count)) into \(location)"
      + Messages.same(same)
  }

  static func undoImport(_ location: StoreLocation) -> String {
    "To undo that, run larder undo \(location)"
  }

  static func notValidText(_ key: String) -> String { "\(key) \(Store.unreadable)" }
}
