import Foundation
import Harmony
import LarderModel
import LarderDocuments

/// The history of a store, which undoes and redoes its recorded changes.
struct JournaledHistory: StoreHistory {
  let writer: JournaledWriter

  private var journal: Journal { writer.journal }
  private var location: StoreLocation { writer.location }
  private var keysArePaths: Bool { writer.store.kind.keysArePaths }

  /// Reads from the journal, or returns a value if there is no journal.
  private func read<Result: Sendable>(
    _ absent: Result, _ body: @escaping @Sendable (JournalTable, StoreLocation) throws -> Result
  ) async throws -> Result {
    let location = location
    return try await journal.read(whereAbsent: absent) { try body($0, location) }
  }

  func steps(isRedo: Bool, limit: Int) async throws -> [ChangeSummary] {
    try await read([]) { try $0.steps(isRedo: isRedo, limit: limit, at: $1).map(\.step) }
  }

  func page(from offset: Int, limit: Int) async throws -> HistoryPage {
    try await read(HistoryPage(count: 0, offset: 0, records: [])) {
      try $0.page(from: offset, limit: limit, at: $1)
    }
  }

  func entries(of number: Int64, limit: Int) async throws -> [ChangedEntry] {
    let step = try await read(nil) { table, location -> RecordedChange? in
      guard let record = try table.record(number), record.isReadable, record.location == location
      else { return nil }
      return try table.step(record, limit: limit)
    }
    guard let step else { return [] }
    if step.count != nil, let recorded = step.storeRecord {
      return try await writer.undo.entries(of: recorded).prefix(limit).map {
        ChangedEntry($0.key, before: $0.before, after: $0.after)
      }
    }
    // Elements that were only shifted are not shown as part of the change.
    return step.items.filter { !$0.isShifted || $0.after == nil }.map(ChangedEntry.init)
  }

  /// Undoes or redoes a change, if every entry is still as the change left it.
  func replay(_ request: ReplayRequest) async throws -> ChangeSummary {
    let meant = try await read(nil) { try $0.record(request, at: $1)?.step.number }
    await writer.settleAbandoned()
    var step = try await next(request, meaning: meant)
    if step.record.state == .interrupted {
      guard try await writer.settleInterrupted(step) else {
        throw StoreError.undecided(step.number)
      }
      step = try await next(request, meaning: meant)
    }
    // The user means the last change they saw, not the one before it.
    if let meant, step.number != meant {
      throw StoreError.interrupted(isUndo: !request.isRedo, isLast: false)
    }
    guard step.record.state != .interrupted else { throw StoreError.undecided(step.number) }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    let places = step.items.indices.filter { step.items[$0].isDone == isUndo }
    var ordered = order(places, of: step, isUndo: isUndo)
    let number = step.number
    guard try await journal.write(.writing, { try $0.setPending(number, isUndo: isUndo) }) else {
      throw StoreError.beingReplayed(isUndo: isUndo)
    }
    // Rows and file contents are restored as a whole or not at all.
    let record = ChangeRecord(
      isUndo ? .undo : .redo, recorded: step.storeRecord,
      isWhole: places.count == step.items.count, limit: journal.limit,
      keep: writer.keep(number))
    let written: [Entry]
    do {
      let items = try await recognised(ordered.map { step.items[$0] }, isUndo: isUndo)
      switch step.record.step.action {
      case .touch: written = try await writer.retime(items, isUndo: isUndo)
      case .refresh, .evict:
        let exchanged = try await writer.exchange(items, isUndo: isUndo)
        written = exchanged.written
        // Entries that the program has cached again are settled too, so that they do not block
        // other changes.
        for place in ordered { step.items[place].isDone = !isUndo }
        ordered = ordered.filter { exchanged.keys.contains(step.items[$0].key) }
      case .write, .delete, .rename:
        written = try await writer.undo.commit(
          change(items, isUndo: isUndo), record, in: writer.store.source)
      }
    } catch {
      try? await writer.settle(step, after: error, record)
      throw error
    }
    step.finish(ordered, with: written, isUndo: isUndo)
    await writer.settle(step)
    if isUndo, request.isForgotten {
      // Ignore errors: the change has been undone in any case.
      try? await journal.write(.settling) { [step] in try $0.forget(step) }
    }
    var replayed = step.record.step
    replayed.isUndone = isUndo
    if replayed.action.isOfCache, let first = ordered.min() {
      (replayed.count, replayed.key) = (ordered.count, step.items[first].key)
    }
    return replayed
  }

  /// Returns the change to replay, or throws if the expected one no longer qualifies after an
  /// interrupted change was settled.
  private func next(
    _ request: ReplayRequest, meaning meant: Int64?
  ) async throws -> RecordedChange {
    if let step = try await journal.step(request, at: location) { return step }
    guard meant == nil || request.step != nil else {
      throw StoreError.interrupted(isUndo: !request.isRedo, isLast: true)
    }
    throw try await nothing(request)
  }

  /// Returns the reason that there is no change to replay.
  private func nothing(_ request: ReplayRequest) async throws -> StoreError {
    guard let number = request.step else { return .nothing(isRedo: request.isRedo) }
    if let record = try await journal.step(number: number), record.location == location {
      return .alreadyReplayed(number, isRedo: request.isRedo)
    }
    return .noSuchChange(number, isRedo: request.isRedo)
  }

  private func checkPositions(of step: RecordedChange) async throws {
    guard keysArePaths else { return }
    let number = step.number
    try step.checkPositions(await read([]) { try $0.shifted(after: number, at: $1) })
  }

  /// Returns the order in which entries are changed.
  ///
  /// An undo starts with the last entry, but array elements are restored from first to last, as an
  /// array cannot have gaps.
  private func order(_ places: [Int], of step: RecordedChange, isUndo: Bool) -> [Int] {
    let items = step.items
    guard keysArePaths, !items.contains(where: { $0.newKey != nil }) else {
      return isUndo ? places.reversed() : places
    }
    return places.sorted { items[$0].key < items[$1].key }
  }

  /// Returns the items to replay.
  ///
  /// If an item was recorded without knowing its storage form, as of an element that was changed and
  /// moved at once, the store's current entry is used, provided that it has the same value.
  private func recognised(_ items: [JournalItem], isUndo: Bool) async throws -> [JournalItem] {
    // In other stores a fingerprint always matches the value.
    guard keysArePaths else { return items }
    var items = items
    let places = items.indices.filter {
      items[$0][after: isUndo]?.isKnown == false && items[$0].subject == .value
    }
    try await writer.store.source.forEachEntry(places.map { items[$0].key.exactPath }) {
      if let entry = $1 { items[places[$0]].recognise(entry, after: isUndo) }
    }
    return items
  }

  /// Returns the store change that undoes or redoes the items.
  private func change(_ items: [JournalItem], isUndo: Bool) -> StoreChange {
    let items = keysArePaths ? items.map(\.withExactKeys) : items
    let renames = items.compactMap { $0.rename(isUndo: isUndo) }
    return renames.isEmpty
      ? .changes(ChangesQuery(items.map { $0.change(isUndo: isUndo) }))
      : .renames(RenamesQuery(renames))
  }
}

// MARK: - Conflicts

extension JournaledHistory {
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [UndoConflict] {
    guard let step = try await journal.step(request, at: location) else { return [] }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    if step.count != nil {
      return try await recordedConflicts(of: step, isUndo: isUndo, limit: limit)
    }
    let isOfOne = step.items.count == 1 && [.write, .delete].contains(step.record.step.action)
    let items = step.items.filter { $0.isDone == isUndo }
      .map { keysArePaths ? $0.withExactKeys : $0 }
    var expected: [(key: EntryKey, side: JournalItem.Side?, item: JournalItem)] = []
    let taken = Set(items.map { isUndo ? $0.newKey ?? $0.key : $0.key })
    for item in items {
      let newKey = item.newKey ?? item.key
      let (from, to) = isUndo ? (newKey, item.key) : (item.key, newKey)
      expected.append((from, item[after: isUndo], item))
      // When keys are swapped, the new key of one entry is the old key of another, so it is not
      // expected to be free.
      if !taken.contains(to) { expected.append((to, nil, item)) }
    }
    var found: [UndoConflict] = []
    try await writer.forEachFound(expected.map(\.key), of: items) { place, entry in
      let (key, side, item) = expected[place]
      guard found.count < limit else { return }
      let now = item.mark(of: entry)
      let isSpelledOtherwise =
        side?.isKnown == true && entry.flatMap { item.print(of: $0) } != side?.print
      guard now != side?.value || isSpelledOtherwise else { return }
      guard item.newKey == nil else {
        var left = Entry(key: key)
        if let print = side?.fingerprint { left.fingerprint = print }
        found.append(UndoConflict(expected: left, found: entry ?? Entry(key: key)))
        return
      }
      var conflict = UndoConflict(
        expected: Entry(side: side?.value, of: key), found: Entry(side: now, of: key))
      if isOfOne, !(keysArePaths && key.isElement) {
        let outcome = item[after: !isUndo]
        conflict.outcome = Entry(side: outcome?.value, of: key, form: outcome?.form)
      }
      found.append(conflict)
    }
    // The journal keeps no values of an entry whose expiry or cached copy is changed.
    return step.items.first?.subject == .value ? try await naming(found) : found
  }

  /// Returns the conflicts with the later changes that caused them, as far as these are recorded.
  private func naming(_ conflicts: [UndoConflict]) async throws -> [UndoConflict] {
    let steps = try await steps(leaving: conflicts.map(\.found))
    return conflicts.map { conflict in
      var conflict = conflict
      conflict.later = steps[conflict.key]?.number
      return conflict
    }
  }

  /// Returns the conflicts of a change whose entries are in the store's own record.
  private func recordedConflicts(
    of step: RecordedChange, isUndo: Bool, limit: Int
  ) async throws -> [UndoConflict] {
    let entries = try await writer.undo.entries(of: step.storeRecord ?? [])
    var found: [UndoConflict] = []
    for start in stride(from: 0, to: entries.count, by: PageLimit.maximum)
    where found.count < limit {
      let part = entries[start...].prefix(PageLimit.maximum)
      try await writer.store.source.forEachEntry(part.map(\.key)) { place, entry in
        let recorded = part[start + place]
        let expected = isUndo ? recorded.after : recorded.before
        let value = recorded.recorded(of: entry?.value)
        guard found.count < limit, expected != value else { return }
        found.append(
          UndoConflict(
            expected: Entry(side: expected, of: recorded.key),
            found: Entry(side: value, of: recorded.key)))
      }
    }
    return try await naming(found)
  }
}

extension ChangedEntry {
  /// Creates an entry of a change as recorded in the journal, which stores only a digest of a
  /// renamed entry.
  fileprivate init(_ item: JournalItem) {
    let hasValues = item.newKey == nil
    self.init(
      item.key, newKey: item.newKey, before: hasValues ? item.before?.value : nil,
      after: hasValues ? item.after?.value : nil)
  }
}

extension EntryKey {
  /// Whether the key is an array index, where another program may have put a different element.
  fileprivate var isElement: Bool {
    if case .index? = documentPath?.last { true } else { false }
  }
}

extension Entry {
  fileprivate init(
    side value: StoredValue?, of key: EntryKey, form: String? = nil, modified: Date? = nil
  ) {
    self =
      value.map { Entry(key: key, value: $0, modified: modified, form: form) }
      ?? Entry(key: key, modified: modified)
  }
}

// MARK: - Earlier values

extension JournaledHistory {
  /// The maximum number of keys in one statement.
  private static let keyLimit = 500

  func steps(leaving entries: [Entry]) async throws -> [EntryKey: ChangeSummary] {
    var steps: [EntryKey: ChangeSummary] = [:]
    for start in stride(from: 0, to: entries.count, by: Self.keyLimit) {
      let part = entries[start...].prefix(Self.keyLimit)
      let changes = try await read([:]) { try $0.lastChanges(of: part.map(\.key), at: $1) }
      for entry in part {
        guard let (item, _, step) = changes[entry.key] else { continue }
        let left = item.isDone ? item.newKey ?? item.key : item.key
        let isSame =
          left == entry.key
          ? item[after: item.isDone]?.value == item.mark(of: entry) : entry.value == nil
        if isSame { steps[entry.key] = step }
      }
    }
    return steps
  }

  func entry(before key: EntryKey) async throws -> Entry? {
    var key = key
    var turn = Int64.max
    while true {
      let (name, last) = (key, turn)
      let listed = try await read(nil) { try $0.change(of: name, before: last, at: $1) }
      if let entry = try await counted(key, between: listed?.turn ?? 0, and: turn) { return entry }
      guard let listed else { return nil }
      let (item, time) = (listed.item, listed.step.time)
      turn = listed.turn
      guard try await isOf(key, item, listed.step) else { continue }
      if item.isShifted {
        // An entry at this key now, if any, was added later.
        if item.after == nil { return nil }
        let step = try await journal.read(whereAbsent: nil) { try $0.step(listed.step) }
        guard let mover = step?.mover(to: item.key), let before = mover.before else {
          throw StoreError.shifted(time)
        }
        key = IndexedList.replacing(item.key, with: mover.key, in: key)
        // The same change may also have modified the element.
        guard name == item.key, before.value != item.after?.value else { continue }
        return Entry(side: before.value, of: key, modified: time)
      }
      guard item.newKey != nil else {
        // Earlier versions stored the rowid of a row as its form.
        let form = item.before?.form.flatMap { $0.hasPrefix("row ") ? nil : $0 }
        return Entry(side: item.before?.value, of: key, form: form, modified: time)
      }
      // A rename stores only a digest; the value is in an earlier change.
      key = item.key
    }
  }

  /// Whether an item of a change is about the entry with a key, as far as the store's record shows.
  ///
  /// A row may have been changed by another of its keys, which can be equal to this one.
  private func isOf(
    _ key: EntryKey, _ item: JournalItem, _ record: JournalRecord
  ) async throws -> Bool {
    guard writer.undo.recordsEntries, item.newKey == nil,
      let recorded = try await journal.read(whereAbsent: nil, { try $0.step(record) })?.storeRecord,
      let entries = try? await writer.undo.entries(of: recorded)
    else { return true }
    return entries.contains { $0.key == key }
  }

  /// Returns the entry before the last change between two turns that affected it, among those whose
  /// entries are in the store's record and not in the journal.
  private func counted(
    _ key: EntryKey, between first: Int64, and last: Int64
  ) async throws -> Entry? {
    guard writer.undo.recordsEntries else { return nil }
    var turn = last
    while true {
      let before = turn
      let found = try await read(nil) { try $0.countedStep(between: first, and: before, at: $1) }
      guard let found else { return nil }
      turn = found.turn
      let entries = try await writer.undo.entries(of: found.step.storeRecord ?? [])
      guard let entry = entries.first(where: { $0.key == key }) else { continue }
      return Entry(side: entry.before, of: key, modified: found.step.record.time)
    }
  }
}
