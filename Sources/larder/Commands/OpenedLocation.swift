import LarderDocuments
import Foundation
import Harmony
import LarderModel
import LarderOperations
import LarderJournal
import LarderStores

/// A location from the command line, opened for one command.
struct OpenedLocation {
  let open: OpenStore
  let store: Store
  /// The TTL given by `--ttl`, counted from the last write of an entry.
  let timeToLive: Duration?
  /// Whether `--expires-column none` disables expiry.
  let isWithoutExpiry: Bool
  /// The maximum size of a value to be changed, which is that of the journal; nil for no limit.
  let maximumSize: Int?
  /// The maximum size in bytes of a value that is read only to compare it before a deletion.
  static let maximumCompared = 16 << 20
  /// The warnings on changes that are not part of a printed object yet.
  private let said = WarningCollector()

  /// Opens the location given by a positional argument.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - isTimed: Whether `--ttl` applies to entries that have no expiry of their own.
  ///   - place: The index of the positional argument.
  ///   - isOfPair: Whether another location is opened with it. Then `--key` is ignored for a store
  ///     without tables; a table must have the key.
  /// - Throws: An error if it cannot be opened, or if a database with several collections is given
  ///   without one.
  init(
    _ arguments: Arguments, isTimed: Bool = true, at place: Int = 0, isOfPair: Bool = false
  ) async throws {
    timeToLive = isTimed ? try arguments.duration(.ttl) : nil
    var options = arguments.openOptions
    options.timeToLive = timeToLive
    options.opensOneCollection = true
    options.passwordPrompt = .terminal
    isWithoutExpiry = options.expiry.isNone
    maximumSize = arguments.journal?.limit
    open = try await Stores.open(
      try arguments.location(at: place), options: options, journal: arguments.journal)
    store = try await open.store(
      open.location.collection, key: isOfPair ? nil : options.key)
    store.warnings?.complain(keepingIn: said)
  }

  /// Refuses a change to a read-only store before anything is asked or read.
  private func checkWritable() throws {
    guard !store.capabilities.contains(.writable) else { return }
    throw StoreError.readOnly(store, OperationFailure.nothingWritten)
  }

  /// Reports a warning about a change, and stores it for the printed object.
  func warn(_ sentence: String) {
    Output.complain(sentence)
    said.add(sentence)
  }

  /// Returns the warnings since the last call.
  func warnings() -> [String] { said.take() }

  /// Returns the warnings for the object of one of several entries: those on the change, for the
  /// last.
  func warnings(forEntry place: Int, of count: Int) -> [String] {
    place == count - 1 ? warnings() : []
  }

  /// Opens a location for a command that changes entries.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - isTimed: Whether `--ttl` applies to entries that have no expiry of their own.
  ///   - isTrial: Whether it is a dry run, which also works in read-only mode and on temporary
  ///     stores.
  ///   - place: The index of the positional argument.
  ///   - isOfPair: Whether another location is opened with it.
  /// - Returns: The location, whose store is writable unless it is a dry run.
  /// - Throws: An error if the store is read-only, or would not outlive the command.
  static func toChange(
    _ arguments: Arguments, isTimed: Bool = true, isTrial: Bool = false, at place: Int = 0,
    isOfPair: Bool = false
  ) async throws -> OpenedLocation {
    let location = try await OpenedLocation(
      arguments, isTimed: isTimed, at: place, isOfPair: isOfPair)
    if isTrial, !location.store.kind.isPersistent || arguments.openOptions.isReadOnly {
      return location
    }
    guard location.store.kind.isPersistent else {
      throw StoreError.temporary(location.store.location)
    }
    // A source may accept writes although the store is read-only, and they would not be journaled.
    try location.checkWritable()
    return location
  }

  /// Returns the entry with a key as typed by the user.
  ///
  /// If digits are typed and the store has no such number, the key that a new entry would get is
  /// tried, and then the string of the digits. In quotes they are always a string.
  ///
  /// - Parameters:
  ///   - typed: The typed key.
  ///   - isToChange: Whether the entry will be written or deleted. The string of the digits is then
  ///     used only if no new entry could have the number: otherwise, deleting 42 twice would delete
  ///     "42" as well.
  ///   - maximumSize: The maximum size of a value to read; nil for any.
  ///   - readsFiles: Whether to read a value stored in a separate file.
  /// - Returns: The whole entry.
  /// - Throws: `Failure` if there is no such entry or if several members of a document share the
  ///   name, or the error of the store.
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
    throw Failure.noEntry(typed, in: store.location, hint: namesake.map(hint))
  }

  /// The store as a timed cache.
  ///
  /// - Throws: ``StoreError/notSupported(_:)`` if it is not a cache.
  var cache: any CacheService {
    get throws(StoreError) {
      guard let cache = store.cache else {
        throw .notTimedCache(store.location)
      }
      return cache
    }
  }

  /// Returns the typed key as the store has it.
  func key(_ typed: String) -> EntryKey {
    let key = store.key(typed: typed)
    return store.kind.keysArePaths ? key.withoutFirstNumbers : key
  }

  /// Refuses a name shared by several members of a document.
  ///
  /// Most programs read the last of them, but some read the first.
  private func checkNames(of key: EntryKey) async throws {
    guard store.kind.keysArePaths else { return }
    for name in key.unnumberedNames where try await store.source.entry(name.member(1)) != nil {
      let isTwice = try await store.source.entry(name.member(2)) == nil
      throw Failure.repeatedName(name, isTwice: isTwice, in: store.location)
    }
  }

  /// Reports the parts of transferred entries that the store cannot hold, and changed types.
  ///
  /// - Returns: Whether anything was lost.
  func sayLeft(_ left: TransferReport) -> Bool {
    if left.dataAsText > 0 { warn(Messages.dataAsText(left.dataAsText, in: store.location)) }
    guard !left.isEmpty else { return false }
    warn(Messages.left(left, in: store.location))
    return true
  }

  /// Reports why the expiries of written entries could not be set.
  func complain(ofExpiries problem: StoreError?) {
    if let problem { warn(Messages.expiriesNotSet(problem)) }
  }

  /// Reports written entries whose expiry was set by the live process that owns the cache.
  ///
  /// - Returns: `.refused` if there are such entries, or else `.done`.
  func complain(ofOtherExpiries keys: [EntryKey]) -> ExitCode {
    guard !keys.isEmpty else { return .done }
    warn(Messages.otherExpiries(NameList(keys.map { $0.notation(store.keyStyle) })))
    return .refused
  }

  /// Returns a clause about a conflict, with a remedy if there is one.
  ///
  /// - Parameters:
  ///   - key: The key as shown.
  ///   - theirs: The current entry. An entry of a cache without timestamps is one of the backing
  ///     store.
  /// - Returns: The clause.
  func changed(_ key: String, _ theirs: Entry?) -> String {
    let isInBackingStore =
      store.capabilities.contains(.cache) && theirs != nil && theirs?.modified == nil
    return Messages.changed(key, isInBackingStore: isInBackingStore)
  }

  /// Returns an entry that is listed but cannot be read, such as a file that is a link, or is not
  /// read because it is larger than ``maximumCompared``.
  ///
  /// Without a fingerprint, it is not compared before it is deleted: it is deleted even if another
  /// program has changed it meanwhile.
  ///
  /// - Returns: The entry without a value; nil if it is not listed or if the error has another
  ///   cause.
  func listed(_ typed: String, unreadableFor reason: any Error) async -> Entry? {
    switch StoreError(reason) {
    case .failed, .notSupported, .readOnly: break
    default: return nil
    }
    let key = EntryKey(notation: typed, style: store.keyStyle)
    if maximumSize == nil {
      // Without a journal, even a value that is too large to be read can be deleted.
      for key in [key, store.key(typed: typed)] {
        let query = EntriesQuery([key], maximumSize: Self.maximumCompared, leavesOutLarge: true)
        let found = try? await store.source.getAll(query).getCancelling().first
        guard var entry = found, entry.type != nil, !entry.isWhole || entry.value == nil else {
          continue
        }
        entry.value = nil
        entry.fingerprint = nil
        return entry
      }
    }
    guard store.kind.holdsFiles, case .text(let prefix) = key else { return nil }
    let query = EntryPageQuery(prefix: prefix, limit: 1, detail: .summary)
    let first = try? await store.source.getAll(query).getCancelling().first
    guard let first, first.key == key, first.fingerprint == nil else { return nil }
    return first
  }

  /// Returns the entry whose key is the literal string typed, if that notation denotes another key.
  ///
  /// An example is the string "42", as 42 denotes the number.
  func namesake(of typed: String) async -> Entry? {
    let key = EntryKey.text(typed)
    guard EntryKey(notation: typed, style: store.keyStyle) != key else { return nil }
    return try? await store.source.entry(key)
  }

  /// Returns a clause about how to type the key of `namesake`.
  func hint(_ namesake: Entry) -> String {
    Messages.hint(Messages.shellQuoted(namesake.key.notation(store.keyStyle)))
  }

  /// Returns an error that names the key of a conflict.
  ///
  /// - Parameters:
  ///   - error: The error of an operation.
  ///   - typed: The key as typed, if only one was given.
  /// - Returns: The error to end the command with.
  func failure(_ error: any Error, of typed: String? = nil) -> any Error {
    guard let failure = error as? OperationFailure, !failure.isTaken,
      case .conflict(let current) = failure.reason
    else { return error }
    let key = current?.key.notation(store.keyStyle)
    let cause = key.map { changed($0, current) } ?? Messages.gone(typed)
    return Failure.conflict(cause, failure.outcome)
  }

  /// Returns a clause about the number of changes that were made before a stop.
  func outcome(_ verb: String, stoppedAt scan: Scan) -> String {
    Messages.stopped(after: store.changesLeft(by: scan), verb)
  }

  /// Returns the entry with the expiry given by `--ttl`.
  func timed(_ entry: Entry) -> Entry { entry.timed(timeToLive) }
}

extension WarningCollector {
  /// Reports every further sentence on standard error, and stores it for the printed object.
  func complain(keepingIn said: WarningCollector) {
    listen {
      Output.complain($0)
      said.add($0)
    }
  }
}
