import LarderDocuments
import Harmony
import LarderModel

/// A data source that records every change in the journal before it modifies the store.
///
/// Every write asks the store to compare the old value, whatever the query expects, so that the
/// journal records the value that was actually replaced. Reads pass through unchanged.
struct JournaledDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  /// The store, without the journal.
  let store: Store
  let journal: Journal
  /// The location of the store as recorded in the journal.
  let location: StoreLocation
  let undo: any UndoSupport
  /// The collector of warnings about the journal.
  let warnings: WarningCollector

  /// The number of attempts for an unconditional write while other programs write the same entry.
  private static let attempts = 8

  func get(_ query: any Query) -> Future<Entry> { store.source.get(query) }

  func getAll(_ query: any Query) -> Future<[Entry]> { store.source.getAll(query) }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery {
      return Future { try await rename(query) }
    }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future {
      try await put(try Entry.valueToWrite(value), form: value?.form, request)
    }
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery {
      return Future {
        try await change(query.changes, query.scan, areExact: query.areExact)
      }
    }
    if let query = query as? RenamesQuery {
      return Future { try await rename(query.renames, query.scan) }
    }
    guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
    return Future {
      let values = try array.valuesToWrite(for: keys)
      return try await putAll(
        keys.indices.map {
          EntryChange(keys[$0], value: values[$0], expecting: nil, form: array[$0].form)
        })
    }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return Future {
      switch request {
      case .one(let key, .anything): try await delete([key])
      case .one(let key, let condition):
        _ = try await change([EntryChange(key, value: nil, expecting: condition.fingerprint)])
      case .several(let keys): try await delete(keys)
      case .prefix(let prefix, let scan): try await delete(prefix: prefix, scan)
      case .all: try await delete(prefix: "", nil)
      }
    }
  }

  /// Writes one value if the condition of the request holds.
  func put(_ value: StoredValue, form: String?, _ request: WriteRequest) async throws -> Entry {
    let isConditional = if case .anything = request.condition { false } else { true }
    return try await retrying(isConditional: isConditional) {
      let current = try await store.base(request.key, maximumSize: journal.limit)
      guard request.condition.allows(current) else { throw StoreError.conflict(current: current) }
      let item = JournalItem(
        request.key, was: current, after: undo.asKept(value, form: form ?? current?.form),
        form: form)
      if let current, try await isSame(value, form, current) { return current }
      let change = EntryChange(
        request.key, value: value, expecting: current?.fingerprint, form: form)
      return try await recorded(.write, [item], .changes(ChangesQuery([change]))).first
        ?? Entry(key: request.key, value: value)
    }
  }

  /// Writes several values unconditionally; of those with the same key, only the last.
  func putAll(_ changes: [EntryChange]) async throws -> [Entry] {
    let latest = Dictionary(changes.indices.map { (changes[$0].key, $0) }) { $1 }
    let written = try await change(
      latest.values.sorted().map { changes[$0] }, isConditional: false)
    let byKey = Dictionary(written.map { ($0.key, $0) }) { $1 }
    return changes.enumerated().map { place, change in
      let stored = latest[change.key] == place ? byKey[change.key] : nil
      return stored ?? Entry(key: change.key, value: change.value ?? .null)
    }
  }

  /// Deletes entries by key and records that as one change; ignores missing entries.
  func delete(_ keys: [EntryKey]) async throws {
    let changes = Set(keys).sorted().map { EntryChange($0, value: nil, expecting: nil) }
    _ = try await change(changes, isConditional: false)
  }

  /// Makes several changes and records them as one.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - scan: The scan that receives progress and can stop the operation.
  ///   - areExact: Whether keys and values must be stored exactly as they are.
  ///   - isConditional: Whether the entries must be as expected; otherwise, a deletion of a missing
  ///     entry is omitted.
  /// - Returns: The written entries.
  /// - Throws: ``StoreError/conflict(current:)`` if an entry is not as expected.
  func change(
    _ changes: [EntryChange], _ scan: Scan? = nil, areExact: Bool = false,
    isConditional: Bool = true
  ) async throws -> [Entry] {
    // If the store records the entries, it also compares all but the first.
    let isCounted = undo.recordsEntries && isConditional && changes.count > 1
    return try await retrying(isConditional: isConditional) {
      let (items, listed) = try await items(
        of: isCounted ? [changes[0]] : changes, scan, isConditional: isConditional)
      guard !items.isEmpty else { return [] }
      let made = isCounted ? changes : listed
      return try await recorded(
        made.allSatisfy { $0.value == nil } ? .delete : .write, items,
        .changes(ChangesQuery(made, scan: scan, areExact: areExact)), scan,
        count: { isCounted ? made.count : nil })
    }
  }

  /// Returns the items to record for several changes, and the changes to make, which expect the
  /// current entries.
  ///
  /// If nothing is recorded, items are only retained if array indexes have to be compared.
  func items(
    of changes: [EntryChange], _ scan: Scan?, isConditional: Bool = true, areKept: Bool = true
  ) async throws -> (items: [JournalItem], changes: [EntryChange]) {
    let keysArePaths = store.kind.keysArePaths
    var made: [EntryChange] = []
    var items = try await items(
      changes.map(\.key), scan, maximumSize: journal.limit, areKept: areKept || keysArePaths
    ) { place, current in
      var change = changes[place]
      if isConditional, current?.fingerprint != change.expecting {
        throw StoreError.conflict(current: current)
      }
      if change.value == nil {
        if current == nil, !isConditional { return nil }
        // An undo could not restore the entry exactly.
        if !undo.restoresExactly, let current, let loss = current.loss {
          throw StoreError.inexact(current.key, loss)
        }
      }
      change.expecting = current?.fingerprint
      made.append(change)
      let form = change.form ?? current?.form
      return JournalItem(
        change.key, was: current, after: change.value.map { undo.asKept($0, form: form) },
        form: change.form)
    }
    guard keysArePaths else { return (items, made) }
    Self.leaveOutInner(&items, &made)
    let moved = MovedElements(source: store.source, scan: scan)
    return (try await moved.added(to: items), made)
  }

  /// Reads the entries with the given keys, and returns an item for each, up to the size limit of
  /// the journal.
  func items(
    _ keys: [EntryKey], _ scan: Scan?, _ subject: JournalItem.Subject = .value,
    maximumSize: Int? = nil, areKept: Bool = true, _ make: (Int, Entry?) throws -> JournalItem?
  ) async throws -> [JournalItem] {
    var items: [JournalItem] = []
    var size = 0
    try await forEachFound(keys, subject, maximumSize: maximumSize) { place, entry in
      try scan?.reportRead(place)
      guard let item = try make(place, entry) else { return }
      size += (item.before?.value.storedSize ?? 0) + (item.after?.value.storedSize ?? 0)
      guard size <= journal.limit else { throw StoreError.tooLargeForJournal(limit: journal.limit) }
      if areKept { items.append(item) }
    }
    return items
  }

  /// Removes deletions of descendants of other deleted entries: these are deleted, and restored,
  /// with their ancestor.
  private static func leaveOutInner(_ items: inout [JournalItem], _ changes: inout [EntryChange]) {
    let paths = items.map { $0.after == nil ? $0.key.documentPath ?? [] : [] }
    let deleted = Set(paths)
    let outer = items.indices.filter { place in
      let path = paths[place]
      return !path.indices.dropFirst().contains { deleted.contains(Array(path[..<$0])) }
    }
    (items, changes) = (outer.map { items[$0] }, outer.map { changes[$0] })
  }

  /// Renames one entry; renaming it to its current key has no effect.
  func rename(_ rename: RenameQuery) async throws -> Entry {
    let current = try await store.base(rename.entryKey)
    guard let current, current.fingerprint == rename.expecting else {
      throw StoreError.conflict(current: current)
    }
    return current.key == rename.newKey ? current : try await self.rename([rename]).only()
  }

  /// Renames several entries and records that as one change.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) async throws -> [Entry] {
    // In the store's order, so that the progress of a killed process can be determined.
    let renames = try renames.inOrder()
    let items = try await items(renames.map(\.entryKey), scan) { place, current in
      let rename = renames[place]
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      let digest = JournalItem.Side(digestOf: current)
      return JournalItem(key: current.key, newKey: rename.newKey, before: digest, after: digest)
    }
    let leaving = Set(items.map(\.key))
    // This also makes the store reject an invalid key before the change is recorded.
    try await store.forEachBase(renames.map(\.newKey)) { _, taken in
      try scan?.reportWaiting()
      if let taken, !leaving.contains(taken.key) { throw StoreError.conflict(current: taken) }
    }
    guard !items.isEmpty else { return [] }
    return try await recorded(.rename, items, .renames(RenamesQuery(renames, scan: scan)))
  }

  /// Deletes all entries with a prefix and records that as one change.
  func delete(prefix: String, _ scan: Scan?) async throws {
    if undo.recordsEntries {
      return try await deleteRecorded(PrefixQuery(prefix, scan: scan ?? Scan()))
    }
    var changes: [EntryChange] = []
    var size = 0
    var query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
    query.maximumSize = journal.limit
    for try await page in EntryPages(of: store.source, query) {
      for entry in page {
        // Entries that exist only in a cache are not in the store.
        if try await store.base(entry.key, shown: entry) == nil { continue }
        guard let value = entry.value, let fingerprint = entry.fingerprint else {
          throw StoreError.cannotRestore(entry)
        }
        size += value.storedSize
        guard size <= journal.limit else {
          throw StoreError.tooLargeForJournal(limit: journal.limit)
        }
        changes.append(EntryChange(entry.key, value: nil, expecting: fingerprint))
      }
      try scan?.reportWaiting()
    }
    _ = try await change(changes, scan)
    scan?.reportDeleted(changes.count)
  }

  /// Deletes all entries with a prefix as one change whose entries the store records.
  private func deleteRecorded(_ query: PrefixQuery) async throws {
    var first = EntryPageQuery(prefix: query.prefix, limit: 1, detail: .values)
    first.maximumSize = journal.limit
    guard let entry = try await store.source.getAll(first).getCancelling().first else {
      query.scan?.reportDeleted(0)
      return
    }
    let item = JournalItem(entry.key, was: entry, after: nil)
    // The store reports the count before it records the entries.
    _ = try await recorded(.delete, [item], query.scan, count: { query.scan?.examined }) {
      record, _ in
      try await store.source.delete(RecordedDeletionQuery(query, record)).get()
      return []
    }
  }

  /// Records a change and makes it with a request to the store.
  private func recorded(
    _ action: ChangeSummary.Action, _ items: [JournalItem], _ change: StoreChange,
    _ scan: Scan? = nil, count: @escaping @Sendable () -> Int? = { nil }
  ) async throws -> [Entry] {
    try await recorded(action, items, scan, count: count) { record, _ in
      try await store.source.putAll([], in: undo.query(for: change, record)).get()
    }
  }

  /// Records a change, makes it, and records its outcome.
  ///
  /// - Parameters:
  ///   - action: The action of the change.
  ///   - items: The entries, with their states before and after.
  ///   - scan: The scan that the number of the change is reported to.
  ///   - count: A closure that returns the number of entries once the store has recorded them, if
  ///     the store records all entries and `items` contains only the first.
  ///   - make: A closure that makes the change and returns the new entries. If entries are processed
  ///     one by one, as in a cache, it reports each, as it is now or nil if it was removed.
  /// - Returns: The entries that `make` returns.
  /// - Throws: Errors of `make` and of writing the journal.
  func recorded(
    _ action: ChangeSummary.Action, _ items: [JournalItem], _ scan: Scan? = nil,
    count: @escaping @Sendable () -> Int? = { nil },
    _ make: (ChangeRecord, @escaping @Sendable (EntryKey, Entry?) -> Void) async throws -> [Entry]
  ) async throws -> [Entry] {
    await settleAbandoned()
    let made = Locked<[EntryKey: Entry?]>([:])
    let planned = RecordedChange(action, items, at: location)
    let begun = Locked<(step: RecordedChange, isOverLimit: Bool)?>(nil)
    let storeRecord: ChangeRecord
    if undo.recordsEntries {
      // The store commits only after this, and no other process can undo the change before that.
      storeRecord = ChangeRecord(limit: journal.limit) { [journal] bytes, written, _ in
        var step = planned
        (step.count, step.storeRecord) = (count(), bytes)
        step.finish(with: written)
        let added = try journal.writeWaiting { table in
          let added = try table.add(step)
          try table.settle(added, isMade: false)
          return (added, try table.excess > 0)
        }
        begun.withLock { $0 = added }
      }
    } else {
      let step = try await journal.write(.writing) { try $0.add(planned) }
      begun.withLock { $0 = (step, false) }
      storeRecord = ChangeRecord(limit: journal.limit, keep: keep(step.number))
    }
    do {
      let written = try await make(storeRecord) { key, entry in
        made.withLock { $0[key] = .some(entry) }
      }
      guard let change = begun.withLock({ $0 }) else { return written }
      var step = change.step
      scan?.report(step: step.number)
      if !undo.recordsEntries {
        step.finish(with: written)
        await settle(step)
      } else if change.isOverLimit {
        // If this fails, the next change makes room.
        try? await journal.write(.settling) { [step] in try $0.makeRoom(but: step) }
      }
      return written
    } catch {
      guard let step = begun.withLock({ $0?.step }) else { throw error }
      scan?.report(step: step.number)
      if undo.recordsEntries {
        // The store has usually refused to commit. If that is not certain, undo checks it.
        if (try? await undo.isMade(step.storeRecord ?? [])) == false {
          try? await journal.write(.settling) { try $0.forget(step) }
        }
      } else if action.isOfCache {
        let isStopped = scan?.isStopped == true || undo.isUnreached(error)
        try? await settle(step, partly: made.withLock { $0 }, isStopped: isStopped)
      } else {
        try? await settle(step, after: error, storeRecord)
      }
      throw error
    }
  }

  /// Returns a closure that stores the store's record of a change in the journal.
  func keep(_ number: Int64) -> ChangeRecord.Keep {
    { [journal] bytes, _, isSpare in
      try journal.writeWaiting { try $0.setRecord(bytes, isSpare: isSpare, of: number) }
    }
  }

  private func retrying<Result>(
    isConditional: Bool, _ body: () async throws -> Result
  ) async throws -> Result {
    var left = isConditional ? 1 : Self.attempts
    while true {
      do {
        return try await body()
      } catch StoreError.conflict where left > 1 {
        left -= 1
      }
    }
  }

  /// Returns whether writing a value, in a form if one is given, would change nothing.
  ///
  /// An entry that is cached must have the same value in the cache too.
  private func isSame(_ value: StoredValue, _ form: String?, _ base: Entry) async throws -> Bool {
    guard base.value == value, form == nil || form == base.form else { return false }
    guard store.cache != nil, let shown = try await store.source.entry(base.key) else {
      return true
    }
    return shown.value == value
  }
}
