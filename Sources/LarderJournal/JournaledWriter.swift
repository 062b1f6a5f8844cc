import Harmony
import LarderCore

/// Changes a store, with each change in the journal first.
struct JournaledWriter: Sendable {
  let source: AnyDataSource<Entry>
  let journal: Journal
  let location: StoreLocation
  let kind: StoreKind
  let undo: any UndoSupport
  let cache: (any CacheService)?
  let expiry: (any ExpiryService)?
  /// Where it is said what a person has to know of the journal.
  let remarks: Remarks?

  /// How often a write that expects nothing is tried, while others write the same entry.
  private static let attempts = 8

  /// Writes one value, if the store holds what it has to.
  func put(
    _ value: StoredValue, form: String?, _ request: WriteRequest
  ) async throws -> Entry {
    try await retrying(request.condition) {
      let current = try await base(request.key)
      guard request.condition.allows(current) else { throw StoreError.conflict(current: current) }
      let item = JournalItem(request.key, was: current, after: undo.asKept(value), form: form)
      if let current, try await isThere(value, current) { return current }
      let change = EntryChange(
        request.key, value: value, expecting: current?.fingerprint, form: form)
      return try await recorded(.write, [item], .changes(ChangesQuery([change]))).first
        ?? Entry(key: request.key, value: value)
    }
  }

  /// Removes one entry, if the store holds what it has to; a missing one is removed already.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws {
    try await retrying(condition) {
      let current = try await base(key)
      guard condition.allows(current) else { throw StoreError.conflict(current: current) }
      guard let current else { return }
      try current.checkWayBack()
      let items = try await withMoved([JournalItem(key, was: current, after: nil)], nil)
      let change = EntryChange(key, value: nil, expecting: current.fingerprint)
      _ = try await recorded(.delete, items, .changes(ChangesQuery([change])))
    }
  }

  /// Writes several values, whatever the store holds.
  func putAll(
    _ values: [(EntryKey, StoredValue)], forms: [String?]
  ) async throws -> [Entry] {
    var latest: [EntryKey: Int] = [:]
    for (place, (key, _)) in values.enumerated() { latest[key] = place }
    var changes: [EntryChange] = []
    for (place, (key, value)) in values.enumerated() where latest[key] == place {
      let current = try await base(key)?.fingerprint
      changes.append(EntryChange(key, value: value, expecting: current, form: forms[place]))
    }
    let written = try await change(changes)
    let byKey = Dictionary(written.map { ($0.key, $0) }) { $1 }
    return values.enumerated().map { place, entry in
      let stored = latest[entry.0] == place ? byKey[entry.0] : nil
      return stored ?? Entry(key: entry.0, value: entry.1)
    }
  }

  /// Makes several changes in one step.
  func change(
    _ changes: [EntryChange], _ scan: Scan? = nil, areExact: Bool = false
  ) async throws -> [Entry] {
    // Where the store records the entries, it compares all but the first itself.
    let isCounted = undo.recordsEntries && changes.count > 1
    let (items, listed) = try await items(of: isCounted ? [changes[0]] : changes, scan)
    guard !items.isEmpty else { return [] }
    let made = isCounted ? changes : listed
    return try await recorded(
      made.allSatisfy { $0.value == nil } ? .delete : .write, items,
      count: isCounted ? made.count : nil,
      .changes(ChangesQuery(made, scan: scan, areExact: areExact)), scan: scan)
  }

  /// What is recorded of several changes, and those of them that are made.
  ///
  /// Where nothing is recorded, values are held only as far as positions have to be compared.
  func items(
    of changes: [EntryChange], _ scan: Scan?, areKept: Bool = true
  ) async throws -> (items: [JournalItem], changes: [EntryChange]) {
    var items: [JournalItem] = []
    var size = 0
    let isDelete = changes.allSatisfy { $0.value == nil }
    try await forEachBase(changes.map(\.key)) { place, current in
      try scan?.reportRead(place)
      let change = changes[place]
      guard current?.fingerprint == change.expecting else {
        throw StoreError.conflict(current: current)
      }
      if change.value == nil { try current?.checkWayBack() }
      size += (current?.value?.storedSize ?? 0) + (change.value?.storedSize ?? 0)
      guard size <= journal.limit else {
        throw isDelete ? tooLarge("deletes", "deleted") : tooLarge("changes", "changed")
      }
      guard areKept || kind.keysArePaths else { return }
      items.append(
        JournalItem(
          change.key, was: current, after: change.value.map(undo.asKept), form: change.form))
    }
    guard !items.isEmpty else { return ([], changes) }
    var changes = changes
    if kind.keysArePaths { Self.leaveOutInner(&items, &changes) }
    return (try await withMoved(items, scan), changes)
  }

  /// Leaves out the deletions of what is inside something else that is deleted: it goes, and comes
  /// back, with that.
  private static func leaveOutInner(_ items: inout [JournalItem], _ changes: inout [EntryChange]) {
    let paths = items.map { $0.after == nil ? $0.key.documentPath : nil }
    let deleted = Set(paths.compactMap { $0 })
    let inner = items.indices.filter { place in
      paths[place].map { path in
        path.indices.dropFirst().contains { deleted.contains(Array(path[..<$0])) }
      } ?? false
    }
    for place in inner.reversed() {
      items.remove(at: place)
      changes.remove(at: place)
    }
  }

  /// Gives one entry another key; its own is no change.
  func rename(_ rename: RenameQuery) async throws -> Entry {
    let current = try await base(rename.entryKey, isKept: false)
    guard let current, current.fingerprint == rename.expecting else {
      throw StoreError.conflict(current: current)
    }
    return current.key == rename.newKey ? current : try await self.rename([rename]).only()
  }

  /// Gives several entries other keys in one step.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) async throws -> [Entry] {
    var items: [JournalItem] = []
    var size = 0
    // In the order of the store, so that it can be told how far a killed process came.
    let renames = try renames.inOrder()
    try await forEachBase(renames.map(\.entryKey), areKept: false) { place, current in
      try scan?.reportRead(place)
      let rename = renames[place]
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      let digest = JournalItem.digest(of: current)
      let item = JournalItem(
        key: current.key, newKey: rename.newKey, before: digest, after: digest, known: .both)
      size += JournalTable.size(of: item)
      guard size <= journal.limit else { throw tooLarge("renames", "renamed") }
      items.append(item)
    }
    let leaving = Set(items.map(\.key))
    // Also so that a key that the store cannot have is refused before it is recorded.
    try await forEachBase(renames.map(\.newKey), areKept: false) { _, taken in
      try scan?.reportWaiting()
      if let taken, !leaving.contains(taken.key) { throw StoreError.conflict(current: taken) }
    }
    guard !items.isEmpty else { return [] }
    return try await recorded(.rename, items, .renames(RenamesQuery(renames, scan: scan)))
  }

  /// Removes entries by key in one step.
  func deleteAll(keys: [EntryKey]) async throws {
    var changes: [EntryChange] = []
    for key in Set(keys) {
      guard let current = try await base(key) else { continue }
      changes.append(EntryChange(key, value: nil, expecting: current.fingerprint))
    }
    _ = try await change(changes)
  }

  /// Removes everything under a prefix in one step.
  func delete(prefix: String, _ scan: Scan?) async throws {
    if undo.recordsEntries {
      return try await deleteRecorded(PrefixQuery(prefix, scan: scan ?? Scan()))
    }
    var changes: [EntryChange] = []
    var items: [JournalItem] = []
    var size = 0
    var query = EntryPageQuery(prefix: prefix, limit: PageLimit.greatest, detail: .values)
    query.maximumSize = journal.limit
    try scan?.reportRead(0)
    for try await page in EntryPages(of: source, query) {
      for entry in try await bases(of: page) {
        guard entry.value != nil, let fingerprint = entry.fingerprint else {
          throw StoreError.cannotBringBack(entry)
        }
        try entry.checkWayBack()
        let item = JournalItem(entry.key, was: entry, after: nil)
        size += JournalTable.size(of: item)
        items.append(item)
        changes.append(EntryChange(entry.key, value: nil, expecting: fingerprint))
      }
      guard size <= journal.limit else { throw tooLarge("deletes", "deleted") }
      try scan?.reportRead(changes.count)
    }
    if !changes.isEmpty {
      let query = ChangesQuery(changes, scan: scan)
      items = try await withMoved(items, scan)
      _ = try await recorded(.delete, items, .changes(query))
    }
    scan?.reportDeleted(changes.count)
  }

  /// Removes everything under a prefix in one step, of which the store records the entries.
  private func deleteRecorded(_ query: PrefixQuery) async throws {
    var first = EntryPageQuery(prefix: query.prefix, limit: 1, detail: .values)
    first.maximumSize = journal.limit
    guard let entry = try await source.getAll(first).getCancelling().first else {
      query.scan?.reportDeleted(0)
      return
    }
    let count = try await source.get(CountQuery(prefix: query.prefix)).getCancelling()
    guard case .integer(let count) = count.value else { throw CoreError.DataSerialization() }
    let item = JournalItem(entry.key, was: entry, after: nil)
    _ = try await recorded(
      .delete, [item], count: Int(count), scan: query.scan, counted: { query.scan?.examined }
    ) { record in
      try await source.delete(RecordedDeletionQuery(query, record)).get()
      return []
    }
  }

  /// Records a step, and makes it by a request to the store.
  private func recorded(
    _ action: JournalStep.Action, _ items: [JournalItem], count: Int? = nil,
    _ change: StoreChange, scan: Scan? = nil
  ) async throws -> [Entry] {
    try await recorded(action, items, count: count, scan: scan) { record in
      try await undo.commit(change, record, in: source)
    }
  }

  /// Records a step, makes it, and keeps what became of it.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - items: The entries as they are, and as they are to be.
  ///   - count: How many entries there are, where the store records all of them and `items` is the
  ///     first alone.
  ///   - scan: Where the number of the step is told.
  ///   - counted: How many it turned out to be; nil where that is known.
  ///   - partial: What was done by the time that it failed, of entries that are changed one after
  ///     the other, and whether it was stopped between two of them; nil where nothing tells.
  ///   - make: Does it, and answers with the entries as they are then.
  /// - Returns: Those entries.
  /// - Throws: What `make` throws, and why the journal cannot be written.
  func recorded(
    _ action: JournalStep.Action, _ items: [JournalItem], count: Int? = nil, scan: Scan? = nil,
    counted: () -> Int? = { nil }, partial: (() -> PartialChange)? = nil,
    _ make: (ChangeRecord) async throws -> [Entry]
  ) async throws -> [Entry] {
    await settleAbandoned()
    let begun = Locked<(number: Int64, record: [UInt8]?)?>(nil)
    func step() -> JournalTable.Step? {
      begun.withLock { $0 }.map { begun in
        let record = JournalRecord(begun.number, action, items, count: count, location)
        return JournalTable.Step(
          record: record, items: items, count: count, storeRecord: begun.record)
      }
    }
    let storeRecord: ChangeRecord
    if undo.recordsEntries {
      // Before the store records what it changed, nothing of that is permanent.
      storeRecord = ChangeRecord(limit: journal.limit) { [journal, location] bytes, _ in
        let number = try journal.begin(
          action, items, count: count, at: location, recording: bytes)
        begun.withLock { $0 = (number, count == nil ? nil : bytes) }
      }
    } else {
      let number = try await journal.begin(action, items, count: count, at: location)
      begun.withLock { $0 = (number, nil) }
      storeRecord = ChangeRecord(limit: journal.limit, keep: keep(number))
    }
    do {
      let written = try await make(storeRecord)
      guard var step = step() else { return written }
      scan?.report(step: step.record.step.number)
      step.finish(with: written)
      step.count = counted() ?? count
      await settle(step)
      return written
    } catch {
      guard let step = step() else { throw error }
      scan?.report(step: step.record.step.number)
      if let partial {
        try? await settle(step, partial(), after: error)
      } else {
        try? await settle(step, after: error, storeRecord)
      }
      throw error
    }
  }

  /// Keeps what the store records of a step in the journal.
  func keep(_ number: Int64) -> ChangeRecord.Keep {
    { [journal] bytes, isSpare in try journal.record(bytes, isSpare: isSpare, ofStep: number) }
  }

  private func retrying<Result>(
    _ condition: WriteRequest.Condition, _ body: () async throws -> Result
  ) async throws -> Result {
    guard case .anything = condition else { return try await body() }
    for _ in 1..<Self.attempts {
      do {
        return try await body()
      } catch StoreError.conflict {
        continue
      }
    }
    return try await body()
  }

  func tooLarge(_ does: String, _ done: String) -> StoreError {
    .journal(
      "this \(does) more than the \(journal.limit >> 20) MiB that the journal keeps; nothing was "
        + "\(done). --no-journal \(does == "deletes" ? does : "writes"), but that cannot be undone")
  }
}

extension Entry {
  /// Refuses to delete what an undo could not bring back as it is.
  fileprivate func checkWayBack() throws(StoreError) {
    guard let loss else { return }
    throw .notSupported(
      "\(key.spoken) could not be brought back as it is: \(loss); nothing was deleted. "
        + "--no-journal deletes, but that cannot be undone")
  }
}
