import Foundation
import Harmony
import LarderFiles
import LarderModel
import LarderDocuments

/// The history of a store, which undoes and redoes its recorded changes.
struct JournaledHistory: StoreHistory {
  let writer: JournaledDataSource

  private var journal: Journal { writer.journal }
  private var location: StoreLocation { writer.location }
  private var keysArePaths: Bool { writer.store.kind.keysArePaths }

  func steps(isRedo: Bool, limit: Int) async throws -> [ChangeSummary] {
    try await journal.read(whereAbsent: []) {
      try $0.steps(isRedo: isRedo, limit: limit, at: location).map(\.step)
    }
  }

  func page(from offset: Int, limit: Int) async throws -> HistoryPage {
    try await journal.read(whereAbsent: HistoryPage(count: 0, offset: 0, records: [])) {
      try $0.page(from: offset, limit: limit, at: location)
    }
  }

  func entries(of number: Int64, limit: Int) async throws -> [ChangedEntry] {
    let step = try await journal.read(whereAbsent: nil) { table -> RecordedChange? in
      guard let record = try table.record(number), record.isReadable, record.location == location
      else { return nil }
      return try table.step(record, limit: limit)
    }
    guard let step else { return [] }
    // Elements that were only shifted are not shown as part of the change.
    return try await items(of: step).prefix(limit).filter { !$0.isShifted || $0.after == nil }
      .map(ChangedEntry.init)
  }

  /// Returns the items of a change, from the store's own record if only that is complete.
  private func items(of step: RecordedChange) async throws -> [JournalItem] {
    guard step.count != nil, let first = step.items.first else { return step.items }
    return try await writer.undo.entries(of: step.storeRecord ?? []).map { entry in
      JournalItem(
        key: entry.key, before: entry.before.map { .init(value: $0) },
        after: entry.after.map { .init(value: $0) }, isDone: first.isDone, subject: .recorded)
    }
  }

  /// Undoes or redoes a change, if every entry is still as the change left it.
  func replay(_ request: ReplayRequest) async throws -> ChangeSummary {
    let meant = try await journal.read(whereAbsent: nil) {
      try $0.record(request, at: location)?.step.number
    }
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
    let expired: Set<EntryKey>
    do {
      let chosen = ordered.map { step.items[$0] }
      expired = try await self.expired(chosen, of: step, isUndo: isUndo)
      let items = try await recognized(chosen, isUndo: isUndo)
      switch step.record.step.action {
      case .touch: written = try await writer.retime(items, except: expired, isUndo: isUndo)
      case .refresh, .evict:
        let exchanged = try await writer.exchange(items, isUndo: isUndo)
        written = exchanged.written
        // Entries that the program has cached again are settled too, so that they do not block
        // other changes.
        for place in ordered { step.items[place].isDone = !isUndo }
        ordered = ordered.filter { exchanged.keys.contains(step.items[$0].key) }
      case .write, .delete, .rename:
        let change = change(items, expired: expired, isUndo: isUndo)
        let query = writer.undo.query(for: change, record)
        written = try await writer.store.source.putAll([], in: query).get()
      }
    } catch {
      if isUndo, writer.undo.recordsEntries, !journal.lock.isRunning(step.process),
        (try? await writer.undo.isMade(step.storeRecord ?? [])) == false
      {
        // Its process was killed before the change was made, or another program has reverted it.
        try? await journal.write(.settling) { [step] in try $0.forget(step) }
        throw StoreError.alreadyReplayed(number, isRedo: false)
      }
      try? await writer.settle(step, after: error, record)
      throw error
    }
    step.finish(ordered, with: written, isUndo: isUndo)
    await writer.settle(step)
    let lost = expired.subtracting(written.map(\.key)).sorted()
    if let first = lost.first {
      writer.warnings.add(Messages.expired(first, others: lost.count - 1))
    }
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

  /// Returns the change to replay, or throws the reason that there is none, such as an interrupted
  /// change that turned out never to have been made.
  private func next(
    _ request: ReplayRequest, meaning meant: Int64?
  ) async throws -> RecordedChange {
    if let step = try await journal.step(request, at: location) { return step }
    guard let number = request.step else {
      throw meant == nil
        ? StoreError.nothing(isRedo: request.isRedo)
        : .interrupted(isUndo: !request.isRedo, isLast: true)
    }
    throw try await journal.step(number: number)?.location == location
      ? StoreError.alreadyReplayed(number, isRedo: request.isRedo)
      : .noSuchChange(number, isRedo: request.isRedo)
  }

  private func checkPositions(of step: RecordedChange) async throws {
    guard keysArePaths else { return }
    let number = step.number
    try step.checkPositions(
      await journal.read(whereAbsent: []) { try $0.shifted(after: number, at: location) })
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
  private func recognized(_ items: [JournalItem], isUndo: Bool) async throws -> [JournalItem] {
    // In other stores a fingerprint always matches the value.
    guard keysArePaths else { return items }
    var items = items
    let places = items.indices.filter {
      items[$0][after: isUndo]?.isKnown == false && items[$0].subject == .value
    }
    try await writer.store.source.forEachEntry(places.map { items[$0].key.exactPath }) {
      if let entry = $1 { items[places[$0]].recognize(entry, after: isUndo) }
    }
    return items
  }

  /// Returns the store change that undoes or redoes the items; those that have expired are expected
  /// not to exist, and are not renamed.
  private func change(
    _ items: [JournalItem], expired: Set<EntryKey>, isUndo: Bool
  ) -> StoreChange {
    let items = keysArePaths ? items.map(\.withExactKeys) : items
    if items.contains(where: { $0.newKey != nil }) {
      let left = items.filter { !expired.contains($0.key) }
      return .renames(RenamesQuery(left.compactMap { $0.rename(isUndo: isUndo) }))
    }
    var changes = items.map { $0.change(isUndo: isUndo) }
    for place in items.indices where expired.contains(items[place].key) {
      changes[place].expecting = nil
    }
    return .changes(ChangesQuery(changes))
  }

  /// Returns the keys of items whose entries do not exist because they have expired since the change.
  private func expired(
    _ items: [JournalItem], of step: RecordedChange, isUndo: Bool
  ) async throws -> Set<EntryKey> {
    guard let known = writer.undo.expiries(in: step.storeRecord, isUndone: !isUndo) else {
      return []
    }
    let now = Date()
    let past = items.filter { item in
      let expires = item.subject == .expiry ? item[after: isUndo]?.expires : known[item.key]
      return expires.map { $0 <= now } ?? false
    }
    guard !past.isEmpty else { return [] }
    var expired: Set<EntryKey> = []
    let keys = past.map { isUndo ? $0.newKey ?? $0.key : $0.key }
    try await writer.forEachFound(keys, past.first?.subject) { place, entry in
      if entry == nil { expired.insert(past[place].key) }
    }
    return expired
  }
}

// MARK: - Conflicts

extension JournaledHistory {
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [UndoConflict] {
    guard let step = try await journal.step(request, at: location) else { return [] }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    let items = try await items(of: step).filter { $0.isDone == isUndo }
      .map { keysArePaths ? $0.withExactKeys : $0 }
    let expired = try await expired(items, of: step, isUndo: isUndo)
    let isOfValue = step.items.first?.subject == .value
    let isOfOne = step.items.count == 1 && step.count == nil && isOfValue
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
    for start in stride(from: 0, to: expected.count, by: Self.keyLimit) where found.count < limit {
      let part = expected[start...].prefix(Self.keyLimit)
      try await writer.forEachFound(part.map(\.key), items.first?.subject) { place, entry in
        let (key, side, item) = part[start + place]
        if entry == nil, expired.contains(item.key) { return }
        let now = item.side(of: entry)
        let isSpelledOtherwise = side?.isKnown == true && now?.print != side?.print
        guard found.count < limit, now?.value != side?.value || isSpelledOtherwise else { return }
        guard item.newKey == nil else {
          var left = Entry(key: key)
          if let print = side?.fingerprint { left.fingerprint = print }
          found.append(UndoConflict(expected: left, found: entry ?? Entry(key: key)))
          return
        }
        var conflict = UndoConflict(
          expected: Entry(side: side?.value, of: key), found: Entry(side: now?.value, of: key))
        if isOfOne, !(keysArePaths && key.isElement) {
          let outcome = item[after: !isUndo]
          conflict.outcome = Entry(side: outcome?.value, of: key, form: outcome?.form)
        }
        found.append(conflict)
      }
    }
    // The journal keeps no values of an entry whose expiry or cached copy is changed.
    guard isOfValue else { return found }
    let later = try await steps(leaving: found.map(\.found))
    for place in found.indices { found[place].later = later[found[place].key]?.number }
    return found
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
      let changes = try await journal.read(whereAbsent: [:]) {
        try $0.lastChanges(of: part.map(\.key), at: location)
      }
      for entry in part {
        guard let (item, _, record) = changes[entry.key] else { continue }
        let left = item.isDone ? item.newKey ?? item.key : item.key
        let isSame =
          left == entry.key
          ? item[after: item.isDone]?.value == item.side(of: entry)?.value : entry.value == nil
        if isSame { steps[entry.key] = record.step }
      }
    }
    return steps
  }

  func entry(before key: EntryKey) async throws -> Entry? {
    var (key, turn) = (key, Int64.max)
    while true {
      let (name, last) = (key, turn)
      let found = try await journal.read(whereAbsent: nil) {
        try $0.change(of: name, before: last, at: location)
      }
      guard let change = found else { return nil }
      let (item, time) = (change.item, change.step.time)
      turn = change.turn
      // A row may have been changed by another of its keys, which can be equal to this one.
      if item.newKey == nil, writer.undo.recordsEntries,
        let step = try await journal.read(whereAbsent: nil, { try $0.step(change.step, limit: 1) }),
        let recorded = step.storeRecord
      {
        do {
          let entries = try await writer.undo.entries(of: recorded)
          guard let entry = entries.first(where: { $0.key == key }) else { continue }
          if step.count != nil { return Entry(side: entry.before, of: key, modified: time) }
        } catch  where step.count == nil {
          // The journal has the entry itself.
        }
      }
      if item.isShifted {
        // An entry at this key now, if any, was added later.
        if item.after == nil { return nil }
        let step = try await journal.read(whereAbsent: nil) { try $0.step(change.step) }
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
}
