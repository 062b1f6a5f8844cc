import Harmony
package import LarderModel
import LarderDocuments
import LarderStoreBase
import Synchronization

/// Writes the entries of an export to a store: all of them, or none if the store has transactions.
package struct Import: Sendable {
  /// The result of an import.
  package struct Outcome: Sendable, Equatable {
    /// The keys of the entries that were written, unless they were streamed.
    package var keys: [EntryKey] = []
    /// The number of entries that were written.
    package var count = 0
    /// The number of entries that already existed with the same value.
    package var same = 0
    /// The data that the store cannot represent.
    package var left = TransferReport()
    /// The reason why expiries could not be set.
    package var expiryProblem: StoreError?
    /// The keys of entries to which a cache assigned a different expiry.
    package var otherExpiries: [EntryKey] = []
    /// The key of an entry whose text makes the store unreadable for most programs.
    package var unreadable: EntryKey?
  }

  private let lines: EntryLineReader
  private let store: Store
  private let replaces: Bool

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - lines: The reader of the lines, whose scan reports progress and can stop the import.
  ///   - store: The store.
  ///   - replaces: Whether to replace entries with another value.
  package init(_ lines: EntryLineReader, into store: Store, replaces: Bool) {
    self.lines = lines
    self.store = store
    self.replaces = replaces
  }

  private var scan: Scan { lines.scan }

  /// Reads the entries and writes them.
  ///
  /// - Parameter isDry: Whether to write nothing.
  /// - Returns: The result, or for a dry run the expected one.
  /// - Throws: ``InputError`` if a line cannot be read or the import was stopped, or
  ///   ``OperationFailure`` if the store refuses an entry; both contain the outcome.
  package func run(isDry: Bool = false) async throws -> Outcome {
    var outcome = Outcome()
    // The journal records an import as one change.
    if isDry || store.capabilities.contains(.undo) {
      try await writeTogether(&outcome, isDry: isDry)
    } else {
      try await stream(&outcome)
    }
    outcome.left.add(lines.left)
    outcome.same = lines.count - outcome.count
    return outcome
  }

  /// Writes entries as they are read, in one transaction if the store has them.
  private func stream(_ outcome: inout Outcome) async throws {
    // With a transaction, a repeated key may be detected as late as the end, as all is rolled back.
    let seen = Mutex(store.kind.isAtomic ? SeenKeys() : SeenKeys(inMemory: .max))
    // One at a time, so that the last line read is the one being written.
    let query = ImportQuery(replaces: replaces, scan: scan) { [self] in
      let entries = try lines.entries(atMost: 1, for: store)
      for entry in entries ?? [] { try seen.withLock { try note(entry.key, in: &$0) } }
      if entries == nil, let (line, former) = try seen.withLock({ try $0.repetition() }) {
        throw InputError.repeatedKey(Messages.itsKey, lines.place(ofLine: line), afterLine: former)
      }
      return entries
    }
    do {
      let answer = try await store.source.put(nil, in: query).get()
      guard case .integer(let count) = answer.value else { throw CoreError.DataSerialization() }
      if store.setsExpiriesAfterWriting {
        for _ in 0..<lines.expiries { outcome.left.addExpiry() }
      }
      outcome.count = Int(count)
    } catch is CoreError.QueryNotSupported {
      try await writeTogether(&outcome, isDry: false)
    } catch {
      let others = lines.count - (error is InputError ? 0 : 1)
      let line = fault(behind: error).flatMap { key in seen.withLock { $0.line(of: key) } }
      throw failure(
        error, line: line, outcome: Messages.importedBefore(scan.changed, of: others),
        lastRead: lines.count == 0 ? nil : lines.place(ofLine: lines.number))
    }
  }

  /// Reads all entries and writes them as one change.
  private func writeTogether(_ outcome: inout Outcome, isDry: Bool) async throws {
    // All are read first, as their total size can be checked well before each key is looked up.
    let (read, numbers) = try read()
    let entries = try await store.imported(read)
    let changes = try await changes(of: entries, numbers)
    outcome.count = changes.count
    outcome.keys = changes.map(\.key)
    guard !changes.isEmpty else { return }
    do {
      if isDry {
        _ = try await store.trial(changes, areExact: true, scan)
        return
      }
      let query = ChangesQuery(changes, scan: scan, areExact: true)
      let written = try await store.source.putAll([], in: query).getCancelling()
      outcome.expiryProblem = await store.setExpiries(
        of: written, as: entries, leaving: &outcome.left)
      // Invalid text is written because an export of such a file must be importable.
      outcome.unreadable = changes.first { store.isUnreadable($0.value) }?.key
      outcome.otherExpiries = store.keysWithOtherExpiries(written, than: entries)
    } catch {
      let key = fault(behind: error)
      let line = entries.firstIndex { $0.key == key }.map { numbers[$0] }
      throw failure(
        error, line: line,
        outcome: isDry
          ? OperationFailure.nothingWritten
          : Messages.partlyImported(store.changesLeft(by: scan), of: changes.count))
    }
  }

  /// Reads all entries with their line numbers, up to the limit of the journal.
  private func read() throws -> (entries: [Entry], numbers: [Int]) {
    var entries: [Entry] = []
    var numbers: [Int] = []
    var seen = SeenKeys(inMemory: .max)
    var size = 0
    let limit = store.capabilities.contains(.undo) ? EntryQuery.usualMaximumSize : nil
    do {
      while let entry = try lines.entries(atMost: 1, for: store)?.first {
        guard let value = entry.value else { continue }
        let entry = store.kind.keysArePaths ? entry.withExactKey : entry
        try note(entry.key, in: &seen)
        size += 64 + value.storedSize
        if let limit, size > limit { throw StoreError.tooLargeForJournal(limit: limit) }
        entries.append(entry)
        numbers.append(lines.number)
      }
    } catch {
      throw failure(error, line: nil)
    }
    return (entries, numbers)
  }

  /// Notes the key of the current line, or throws if an earlier line has it.
  private func note(_ key: EntryKey, in seen: inout SeenKeys) throws {
    guard try !seen.insert(key, line: lines.number) else { return }
    throw InputError.repeatedKey(
      Messages.key(key.notation(store.keyStyle)), lines.place(ofLine: lines.number),
      afterLine: seen.line(of: key))
  }

  /// Determines the changes by reading the store's current entries with the same keys.
  private func changes(of entries: [Entry], _ numbers: [Int]) async throws -> [EntryChange] {
    var changes: [EntryChange] = []
    var place = 0
    do {
      try await store.forEachBase(entries.map(\.key), readsFiles: true) { index, current in
        try scan.reportWaiting()
        place = index
        let change = try entries[index].importChange(
          over: current, replaces: replaces, restoring: store.kind.restoredForms,
          keepsDigits: store.kind.keepsDigits)
        if let change { changes.append(change) }
        place = index + 1
      }
    } catch {
      throw failure(error, line: numbers.indices.contains(place) ? numbers[place] : nil)
    }
    return changes
  }

  /// Returns the key of the entry that the store refused, if a single one is at fault.
  private func fault(behind error: any Error) -> EntryKey? {
    let key = scan.fault.map { store.kind.keysArePaths ? $0.exactPath : $0 }
    return switch StoreError(error) {
    case .conflict(let current): current?.key ?? key
    case .failed, .notSupported, .readOnly: key
    // These errors concern the whole store or the journal.
    case .busy, .cannotOpen, .passwordRequired, .corrupt, .notFound, .journal, .changedSince,
      .notDurable, .unknownOutcome, .cancelled:
      nil
    }
  }

  /// Returns the error that ends the import.
  ///
  /// - Parameters:
  ///   - error: The error of the input or the store.
  ///   - line: The line of the entry at fault, if known.
  ///   - outcome: The fate of the earlier entries, as a clause.
  ///   - lastRead: The last line that was read, if it says how far the import came.
  /// - Returns: An ``InputError`` or an ``OperationFailure``.
  private func failure(
    _ error: any Error, line: Int?, outcome: String = OperationFailure.nothingWritten,
    lastRead: String? = nil
  ) -> any Error {
    if let error = error as? InputError ?? interruption(behind: error, after: lastRead) {
      return error.adding(outcome)
    }
    let place = line.map { lines.place(ofLine: $0) + ": " } ?? ""
    if case StoreError.conflict(let current) = error {
      let key = current?.key.notation(store.keyStyle)
      let cause = replaces ? Messages.changedDuringImport(key) : Messages.hasOtherValue(key)
      return OperationFailure(error, because: place + cause, outcome: outcome)
    }
    let message = StoreError(error).message
    // Stores without transactions count the entries themselves.
    let isCounted = message.hasSuffix(Messages.before(""))
    return OperationFailure(error, because: place + message, outcome: isCounted ? "" : outcome)
  }

  /// Returns the stop that ended the import, possibly while it waited for a lock.
  private func interruption(behind error: any Error, after place: String?) -> InputError? {
    switch StoreError(error) {
    case .cancelled, .busy: scan.isStopped ? .interrupted(after: place) : nil
    default: nil
    }
  }
}

extension Entry {
  /// The same entry with a key that is not parsed as a JSON pointer: exports have literal keys.
  fileprivate var withExactKey: Entry {
    var entry = self
    entry.key = key.withoutFirstNumbers.exactPath
    return entry
  }
}
