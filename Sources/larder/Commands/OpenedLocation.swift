import LarderDocuments
import Foundation
import Harmony
import LarderModel
import LarderOperations
import LarderJournal
import LarderStores

/// A location named on the command line, opened for one command.
struct OpenedLocation {
  let open: OpenStore
  let store: Store
  /// How long after its last write an entry expires, where `--ttl` says so.
  let timeToLive: Duration?
  /// Whether `--expires-column none` says that nothing expires.
  let isWithoutExpiry: Bool
  /// The largest value that is read to be changed: what the journal keeps; nil where there is none.
  let maximumSize: Int?
  /// What was said of changes and is in no object that was printed.
  private let said = Remarks()

  /// Opens the location that is a word; a database needs a collection if it has several.
  ///
  /// - Parameters:
  ///   - arguments: The words.
  ///   - isTimed: Whether `--ttl` says how long entries count that do not say so themselves.
  ///   - place: The number of words before it.
  /// - Throws: Why it cannot be opened.
  init(_ arguments: Arguments, isTimed: Bool = true, at place: Int = 0) async throws {
    timeToLive = isTimed ? try arguments.duration(.ttl) : nil
    var options = arguments.openOptions
    options.timeToLive = timeToLive
    options.opensOneCollection = true
    isWithoutExpiry = options.expiry.isNone
    maximumSize = arguments.journal?.limit
    open = try await Stores.open(
      try arguments.location(at: place), options: options, journal: arguments.journal)
    store = try await open.store(open.location.collection)
    store.remarks?.complain(keepingIn: said)
  }

  /// Refuses a change before anything is asked or read for it, where the store takes none.
  private func checkWritable() throws {
    guard !store.capabilities.contains(.writable) else { return }
    throw StoreError.readOnly(
      "\(store.location) is read-only" + (store.readOnlyReason.map { ": \($0)" } ?? "")
        + "; nothing was written")
  }

  /// Says something of a change that was made, for people and for the object that is printed of it.
  func remark(_ sentence: String) {
    Output.complain(sentence)
    said.add(sentence)
  }

  /// What was said of changes since the last time.
  func remarks() -> [String] { said.take() }

  /// What was said of the change that several entries are, for the object of one of them: the last.
  func remarks(forEntry place: Int, of count: Int) -> [String] {
    place == count - 1 ? remarks() : []
  }

  /// Opens a location, for a command that changes what it holds.
  ///
  /// - Parameters:
  ///   - arguments: The words.
  ///   - isTimed: Whether `--ttl` says how long entries count that do not say so themselves.
  ///   - isTrial: Whether it is only said what would be changed, which may be asked of any store that
  ///     the user does not want to have changed.
  ///   - place: The number of words before it.
  /// - Returns: The location, whose store takes changes.
  /// - Throws: A refusal also where what is written would be gone as soon as the command ends.
  static func toChange(
    _ arguments: Arguments, isTimed: Bool = true, isTrial: Bool = false, at place: Int = 0
  ) async throws -> OpenedLocation {
    let location = try await OpenedLocation(arguments, isTimed: isTimed, at: place)
    if isTrial, !location.store.kind.isLasting || arguments.openOptions.isReadOnly {
      return location
    }
    guard location.store.kind.isLasting else {
      throw StoreError.notSupported(
        "\(location.store.location) lasts only as long as the program runs, so nothing was changed; "
          + "change it in the browser, or name a file")
    }
    // A source may write what the journal does not record, where the store says it takes nothing.
    try location.checkWritable()
    return location
  }

  /// The entry with a key as it is typed.
  ///
  /// Where digits are typed and the store has no such number, what a new key would be is tried, and
  /// the text of the digits; in quotes they are the text anyway.
  ///
  /// - Parameters:
  ///   - typed: The key as it is typed.
  ///   - isToChange: Whether the entry is going to be written or deleted: then what was typed means
  ///     one key only where a new one could be that, or a second deletion of 42 would be one of the
  ///     text "42".
  ///   - maximumSize: The largest value that is read; nil for any.
  ///   - readsFiles: Whether a value in a file beside the store is read, too.
  /// - Returns: The whole entry.
  /// - Throws: `Failure` where there is none, or where several members of a document have the name, and
  ///   what the store throws.
  func entry(
    _ typed: String, isToChange: Bool = false, maximumSize: Int? = nil, readsFiles: Bool = false
  ) async throws -> Entry {
    let key = EntryKey(notation: typed, style: store.keyStyle)
    try await checkNames(of: key)
    func found(_ key: EntryKey) async throws -> Entry? {
      try await store.source.entry(key, maximumSize: maximumSize, readsFiles: readsFiles)
    }
    if let entry = try await found(key) { return entry }
    let newKey = store.key(typed: typed)
    if newKey != key, let entry = try await found(newKey) { return entry }
    let namesake = await namesake(of: typed)
    let isQuoted = if case .text = key { true } else { false }
    let isMeant = !isToChange || store.keyColumns.fault(of: newKey) != nil
    if let namesake, isMeant, !isQuoted { return namesake }
    throw Failure(
      .nothing,
      "\(store.location) has no entry \(typed)" + (namesake.map { "; \(hint($0))" } ?? ""))
  }

  /// The timed cache that the store is.
  ///
  /// - Throws: ``StoreError/notSupported(_:)`` where it is none.
  var cache: any CacheService {
    get throws(StoreError) {
      guard let cache = store.cache else {
        throw .notSupported("\(store.location) is not a timed cache; nothing was changed")
      }
      return cache
    }
  }

  /// The key that was typed, as the store has it.
  func key(_ typed: String) -> EntryKey {
    let key = store.key(typed: typed)
    return store.kind.keysArePaths ? key.withoutFirstNumbers : key
  }

  /// Refuses a name that several members of a document have: most programs read the last of them, and
  /// some the first.
  private func checkNames(of key: EntryKey) async throws {
    guard store.kind.keysArePaths else { return }
    for name in key.unnumberedNames where try await store.source.entry(name.member(1)) != nil {
      let isTwice = try await store.source.entry(name.member(2)) == nil
      throw Failure(
        .refused,
        "\(name.spoken) occurs \(isTwice ? "twice" : "several times") in \(store.location). Its keys "
          + "are \(name.keys(isTwice: isTwice))")
    }
  }

  /// Says what entries that came from elsewhere have lost, as the store has no place for it, and which
  /// have another type.
  ///
  /// - Returns: Whether they have lost anything.
  func sayLeft(_ left: TransferReport) -> Bool {
    if left.dataAsText > 0 {
      let entries = left.dataAsText == 1 ? "entry was data, and is" : "entries were data, and are"
      remark(
        "\(store.location) cannot hold data: \(left.dataAsText) \(entries) text there, of the same bytes"
      )
    }
    guard !left.isEmpty else { return false }
    remark("\(store.location) has no place for all of it; left behind: \(left.list)")
    return true
  }

  /// Reports why the expiries of entries that were written could not be set.
  func complain(ofExpiries problem: StoreError?) {
    if let problem { remark("the expiries could not be set: \(problem.message)") }
  }

  /// Reports the entries that were written, and that a cache gave other expiries of its own.
  ///
  /// - Returns: The code for that: refused where there are such entries.
  func complain(ofOtherExpiries keys: [EntryKey]) -> ExitCode {
    guard !keys.isEmpty else { return .done }
    let names = NameList(keys.map { $0.notation(store.keyStyle) })
    let (subject, those) =
      keys.count == 1
      ? ("an entry was", "its expiry") : ("\(keys.count) entries were", "their expiries")
    remark("\(subject) written, but the program sets \(those) itself: \(names)")
    return .refused
  }

  /// That an entry is not what was read, as a clause, with what may be done.
  ///
  /// - Parameters:
  ///   - key: The key, as it is named.
  ///   - theirs: What was found; of a cache without times where that is only in the backing store.
  /// - Returns: The clause.
  func changed(_ key: String, _ theirs: Entry?) -> String {
    store.capabilities.contains(.cache) && theirs != nil && theirs?.modified == nil
      ? "\(key) was changed in the backing store, and touch --refresh reads it again"
      : "\(key) was changed since it was read"
  }

  /// An entry of a folder as the list has it, whose value cannot be read for a reason of its own: it is
  /// too large, or a link.
  ///
  /// - Returns: The entry, without a value; nil where it is none, or the reason is another.
  func listed(_ typed: String, unreadableFor reason: any Error) async -> Entry? {
    switch StoreError(reason) {
    case .failed, .notSupported, .readOnly: break
    default: return nil
    }
    let key = EntryKey(notation: typed, style: store.keyStyle)
    guard store.kind.name == "folder", case .text(let prefix) = key else { return nil }
    let query = EntryPageQuery(prefix: prefix, limit: 1, detail: .summary)
    let first = try? await store.source.getAll(query).getCancelling().first
    guard let first, first.key == key, first.fingerprint == nil else { return nil }
    return first
  }

  /// The entry whose key is the text that was typed, letter by letter, where that stands for another
  /// key: the text "42" for the number 42.
  func namesake(of typed: String) async -> Entry? {
    let key = EntryKey.text(typed)
    guard EntryKey(notation: typed, style: store.keyStyle) != key else { return nil }
    return try? await store.source.entry(key)
  }

  /// How the text of an entry's key has to be typed, as a clause.
  func hint(_ namesake: Entry) -> String {
    let notation = namesake.key.notation(store.keyStyle).replacing("'", with: #"'\''"#)
    return "the text of these letters, which is there, is written '\(notation)'"
  }

  /// The error of an operation, said with the key where somebody else has changed an entry.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - typed: What the user called the only entry; nil where there are several.
  /// - Returns: The error to end with.
  func failure(_ error: any Error, of typed: String? = nil) -> any Error {
    guard let failure = error as? OperationFailure, !failure.isTaken,
      case .conflict(let current) = failure.reason
    else { return error }
    let key = current?.key.notation(store.keyStyle)
    let cause =
      key.map { changed($0, current) } ?? "\(typed ?? "one of the entries") does not exist any more"
    return Failure(.conflict, "\(cause); \(failure.outcome)")
  }

  /// How many of several changes were made where they were stopped, as a clause.
  func outcome(_ verb: String, stoppedAt scan: Scan) -> String {
    let count = store.changesLeft(by: scan)
    return count == 0 ? "nothing was \(verb)" : "\(count) of them were \(verb)"
  }

  /// The entry with the expiry that `--ttl` gives it.
  func timed(_ entry: Entry) -> Entry {
    guard let timeToLive, entry.expires == nil, let modified = entry.modified else { return entry }
    var entry = entry
    entry.expires = modified.addingTimeInterval(timeToLive.inSeconds)
    return entry
  }
}

extension Remarks {
  /// Says every further sentence on standard error, and keeps it for the object that is printed.
  func complain(keepingIn said: Remarks) {
    listen {
      Output.complain($0)
      said.add($0)
    }
  }
}
