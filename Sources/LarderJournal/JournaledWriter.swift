import LarderDocuments
import Harmony
import LarderModel

/// A writer that records each change in the journal before it makes it in the store.
struct JournaledWriter: Sendable {
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

  /// Writes one value if the condition of the request holds.
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

  /// Deletes one entry if the condition holds; does nothing if the entry is missing.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws {
    try await retrying(condition) {
      let current = try await base(key)
      guard condition.allows(current) else { throw StoreError.conflict(current: current) }
      guard let current else { return }
      _ = try await change([EntryChange(key, value: nil, expecting: current.fingerprint)])
    }
  }

  /// Writes several values unconditionally.
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

  /// Makes several changes and records them as one.
  func change(
    _ changes: [EntryChange], _ scan: Scan? = nil, areExact: Bool = false
  ) async throws -> [Entry] {
    // If the store records the entries, it also compares all but the first.
    let isCounted = undo.recordsEntries && changes.count > 1
    let (items, listed) = try await items(of: isCounted ? [changes[0]] : changes, scan)
    guard !items.isEmpty else { return [] }
    let made = isCounted ? changes : listed
    return try await recorded(
      made.allSatisfy { $0.value == nil } ? .delete : .write, items,
      .changes(ChangesQuery(made, scan: scan, areExact: areExact)), scan,
      count: { isCounted ? made.count : nil })
  }

  /// Returns the items to record for several changes, and the changes to make.
  ///
  /// If nothing is recorded, values are only retained if array indexes have to be compared.
  func items(
    of changes: [EntryChange], _ scan: Scan?, areKept: Bool = true
  ) async throws -> (items: [JournalItem], changes: [EntryChange]) {
    let keysArePaths = store.kind.keysArePaths
    var draft = PendingChange(limit: journal.limit, isKept: areKept || keysArePaths)
    try await store.forEachBase(changes.map(\.key), maximumSize: journal.limit) { place, current in
      try scan?.reportRead(place)
      let change = changes[place]
      guard current?.fingerprint == change.expecting else {
        throw StoreError.conflict(current: current)
      }
      if change.value == nil { try current?.checkUndoable() }
      try draft.append(
        JournalItem(
          change.key, was: current, after: change.value.map(undo.asKept), form: change.form))
    }
    var (items, changes) = (draft.items, changes)
    guard keysArePaths else { return (items, changes) }
    Self.leaveOutInner(&items, &changes)
    let moved = MovedElements(source: store.source, scan: scan)
    return (try await moved.added(to: items), changes)
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
    var draft = PendingChange(limit: journal.limit)
    // In the store's order, so that the progress of a killed process can be determined.
    let renames = try renames.inOrder()
    try await store.forEachBase(renames.map(\.entryKey)) { place, current in
      try scan?.reportRead(place)
      let rename = renames[place]
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      let digest = JournalItem.digest(of: current).map {
        JournalItem.Side(value: $0, isKnown: true)
      }
      try draft.append(
        JournalItem(key: current.key, newKey: rename.newKey, before: digest, after: digest))
    }
    let leaving = Set(draft.items.map(\.key))
    // This also makes the store reject an invalid key before the change is recorded.
    try await store.forEachBase(renames.map(\.newKey)) { _, taken in
      try scan?.reportWaiting()
      if let taken, !leaving.contains(taken.key) { throw StoreError.conflict(current: taken) }
    }
    guard !draft.items.isEmpty else { return [] }
    return try await recorded(.rename, draft.items, .renames(RenamesQuery(renames, scan: scan)))
  }

  /// Deletes entries by key and records that as one change.
  func deleteAll(keys: [EntryKey]) async throws {
    var changes: [EntryChange] = []
    for key in Set(keys) {
      guard let current = try await base(key) else { continue }
      changes.append(EntryChange(key, value: nil, expecting: current.fingerprint))
    }
    _ = try await change(changes)
  }

  /// Deletes all entries with a prefix and records that as one change.
  func delete(prefix: String, _ scan: Scan?) async throws {
    if undo.recordsEntries {
      return try await deleteRecorded(PrefixQuery(prefix, scan: scan ?? Scan()))
    }
    var changes: [EntryChange] = []
    var draft = PendingChange(limit: journal.limit, isKept: false)
    var query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
    query.maximumSize = journal.limit
    for try await page in EntryPages(of: store.source, query) {
      for entry in page {
        // Entries that exist only in a cache are not in the store.
        if try await store.base(entry.key, shown: entry) == nil { continue }
        guard entry.value != nil, let fingerprint = entry.fingerprint else {
          throw StoreError.cannotRestore(entry)
        }
        try draft.append(JournalItem(entry.key, was: entry, after: nil))
        changes.append(EntryChange(entry.key, value: nil, expecting: fingerprint))
      }
      try scan?.reportWaiting()
    }
    if !changes.isEmpty { _ = try await change(changes, scan) }
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
    _ = try await recorded(.delete, [item], query.scan, count: { query.scan?.examined }) { record in
      try await store.source.delete(RecordedDeletionQuery(query, record)).get()
      return []
    }
  }

  /// Records a change and makes it with a request to the store.
  private func recorded(
    _ action: ChangeSummary.Action, _ items: [JournalItem], _ change: StoreChange,
    _ scan: Scan? = nil, count: @escaping @Sendable () -> Int? = { nil }
  ) async throws -> [Entry] {
    try await recorded(action, items, scan, count: count) { record in
      try await undo.commit(change, record, in: store.source)
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
  ///   - partial: A closure that returns the entries processed before a failure, if they are
  ///     processed one by one; nil if that is unknown.
  ///   - make: A closure that makes the change and returns the new entries.
  /// - Returns: The entries that `make` returns.
  /// - Throws: Errors of `make` and of writing the journal.
  func recorded(
    _ action: ChangeSummary.Action, _ items: [JournalItem], _ scan: Scan? = nil,
    count: @escaping @Sendable () -> Int? = { nil }, partial: (() -> [EntryKey: Entry?])? = nil,
    _ make: (ChangeRecord) async throws -> [Entry]
  ) async throws -> [Entry] {
    await settleAbandoned()
    let planned = RecordedChange(action, items, at: location)
    let begun = Locked<RecordedChange?>(nil)
    let storeRecord: ChangeRecord
    if undo.recordsEntries {
      // The store commits only after its record has been stored.
      storeRecord = ChangeRecord(limit: journal.limit) { [journal] bytes, _ in
        var step = planned
        (step.count, step.storeRecord) = (count(), bytes)
        let recorded = try journal.writeWaiting { try $0.add(step) }
        begun.withLock { $0 = recorded }
      }
    } else {
      let step = try await journal.write(.writing) { try $0.add(planned) }
      begun.withLock { $0 = step }
      storeRecord = ChangeRecord(limit: journal.limit, keep: keep(step.number))
    }
    do {
      let written = try await make(storeRecord)
      guard var step = begun.withLock({ $0 }) else { return written }
      scan?.report(step: step.number)
      step.finish(with: written)
      await settle(step)
      return written
    } catch {
      guard let step = begun.withLock({ $0 }) else { throw error }
      scan?.report(step: step.number)
      if let partial {
        let isStopped = scan?.isStopped == true || undo.isUnreached(error)
        try? await settle(step, partly: partial(), isStopped: isStopped)
      } else {
        try? await settle(step, after: error, storeRecord)
      }
      throw error
    }
  }

  /// Returns a closure that stores the store's record of a change in the journal.
  func keep(_ number: Int64) -> ChangeRecord.Keep {
    { [journal] bytes, isSpare in
      try journal.writeWaiting { try $0.setRecord(bytes, isSpare: isSpare, of: number) }
    }
  }

  private func retrying<Result>(
    _ condition: WriteRequest.Condition, _ body: () async throws -> Result
  ) async throws -> Result {
    var left = if case .anything = condition { Self.attempts } else { 1 }
    while true {
      do {
        return try await body()
      } catch StoreError.conflict where left > 1 {
        left -= 1
      }
    }
  }

  /// Returns the entry that a write replaces, which an undo restores.
  ///
  /// A value that is too large for the journal is rejected before it is read.
  private func base(_ key: EntryKey) async throws -> Entry? {
    try await store.base(key, maximumSize: journal.limit)
  }

  /// Returns whether writing a value would change nothing.
  ///
  /// An entry that is cached must have the same value in the cache too.
  private func isThere(_ value: StoredValue, _ base: Entry) async throws -> Bool {
    guard base.value == value else { return false }
    guard store.cache != nil, let shown = try await store.source.entry(base.key) else {
      return true
    }
    return shown.value == value
  }
}

/// The items of a change that is about to be made, up to the size limit of the journal.
struct PendingChange {
  let limit: Int
  /// Whether items are retained, not only measured.
  var isKept = true
  var items: [JournalItem] = []
  var size = 0

  /// Adds an item.
  ///
  /// - Throws: ``StoreError/journal(_:)`` if the total size exceeds the limit.
  mutating func append(_ item: JournalItem) throws(StoreError) {
    size += (item.before?.value.storedSize ?? 0) + (item.after?.value.storedSize ?? 0)
    guard size <= limit else { throw .tooLargeForJournal(limit: limit) }
    if isKept { items.append(item) }
  }
}

extension Entry {
  /// Throws an error if an undo could not restore the entry exactly.
  fileprivate func checkUndoable() throws(StoreError) {
    guard let loss else { return }
    throw .inexact(key, loss)
  }
}
