import Foundation
import Harmony
import LarderModel
import LarderDocuments

/// Undoes and redoes the recorded changes of a store.
struct JournaledHistory: StoreHistory {
  let writer: JournaledWriter

  private var journal: Journal { writer.journal }
  private var location: StoreLocation { writer.location }
  private var keysArePaths: Bool { writer.store.kind.keysArePaths }

  func steps(isRedo: Bool, limit: Int) async throws -> [JournalStep] {
    let location = location
    return try await journal.read(whereAbsent: []) {
      try $0.steps(isRedo: isRedo, limit: limit, at: location).map(\.step)
    }
  }

  func page(from offset: Int, limit: Int) async throws -> HistoryPage {
    let location = location
    return try await journal.read(whereAbsent: HistoryPage(count: 0, offset: 0, records: [])) {
      try $0.page(from: offset, limit: limit, at: location)
    }
  }

  func entries(of number: Int64, limit: Int) async throws -> [StepEntry] {
    let location = location
    let step = try await journal.read(whereAbsent: nil) { table -> RecordedStep? in
      guard let record = try table.record(number), record.isReadable, record.location == location
      else { return nil }
      return try table.step(record, limit: limit)
    }
    guard let step else { return [] }
    if step.count != nil, let recorded = step.storeRecord {
      return try await writer.undo.entries(of: recorded).prefix(limit).map {
        StepEntry($0.key, before: $0.before, after: $0.after)
      }
    }
    // Elements that only moved are no part of what the step shows.
    return step.items.filter { !$0.isShifted || $0.after == nil }.map(StepEntry.init)
  }

  /// Takes a step back, or does it again, if every entry still is as the step left it.
  func replay(_ request: ReplayRequest) async throws -> JournalStep {
    let location = location
    let meant = try await journal.read(whereAbsent: nil) {
      try $0.record(request, at: location)?.step.number
    }
    await writer.settleAbandoned()
    var step = try await next(request, meaning: meant)
    if step.record.state == .interrupted {
      guard try await writer.settleInterrupted(step) else { throw Self.undecided(step) }
      step = try await next(request, meaning: meant)
    }
    // Who takes the last change back means the one that they saw last.
    if let meant, step.number != meant {
      throw Self.passedOver(isUndo: !request.isRedo, isLast: false)
    }
    guard step.record.state != .interrupted else { throw Self.undecided(step) }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    let places = step.items.indices.filter { step.items[$0].isDone == isUndo }
    var ordered = order(places, of: step, isUndo: isUndo)
    let number = step.number
    guard try await journal.write(.writing, { try $0.setPending(number, isUndo: isUndo) }) else {
      throw Self.taken(isUndo: isUndo)
    }
    // Rows and bytes of files are brought back as a whole, or not at all.
    let record = ChangeRecord(
      isUndo ? .undo : .redo, recorded: step.storeRecord,
      isWhole: places.count == step.items.count, count: step.count, limit: journal.limit,
      keep: writer.keep(number))
    let written: [Entry]
    do {
      let items = try await recognised(ordered.map { step.items[$0] }, isUndo: isUndo)
      switch step.record.step.action {
      case .touch: written = try await writer.retime(items, isUndo: isUndo)
      case .refresh, .evict:
        let exchanged = try await writer.exchange(items, isUndo: isUndo)
        written = exchanged.written
        // What the program has cached again is done with: it must not stand in the way of other steps.
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
      // It is taken back all the same.
      try? await journal.write(.settling) { [step] in try $0.forget(step) }
    }
    var replayed = step.record.step
    replayed.isUndone = isUndo
    if replayed.action.isOfCache, let first = ordered.min() {
      (replayed.count, replayed.key) = (ordered.count, step.items[first].key)
    }
    return replayed
  }

  /// The step to replay, where one was seen there before it was known what became of it.
  private func next(
    _ request: ReplayRequest, meaning meant: Int64?
  ) async throws -> RecordedStep {
    if let step = try await journal.step(request, at: location) { return step }
    guard meant == nil || request.step != nil else {
      throw Self.passedOver(isUndo: !request.isRedo, isLast: true)
    }
    throw StoreError.notFound(try await nothing(request))
  }

  /// Why there is no step to replay.
  private func nothing(_ request: ReplayRequest) async throws -> String {
    guard let number = request.step else {
      return request.isRedo
        ? "nothing to redo in this store: no change was undone since its last one"
        : "nothing to undo in this store"
    }
    if let record = try await journal.step(number: number), record.location == location {
      return request.isRedo
        ? "step \(number) is not undone; there is nothing to redo"
        : "step \(number) is undone already"
    }
    return "step \(number) is not one of this store that "
      + (request.isRedo ? "was undone" : "can be undone")
  }

  private func checkPositions(of step: RecordedStep) async throws {
    guard keysArePaths else { return }
    let (number, location) = (step.number, location)
    try step.checkPositions(
      await journal.read(whereAbsent: []) { try $0.shifted(after: number, at: location) })
  }

  /// The order in which entries are changed: an undo begins at the end, but elements of an array
  /// come back from the first to the last, as none can be behind a gap.
  private func order(_ places: [Int], of step: RecordedStep, isUndo: Bool) -> [Int] {
    let items = step.items
    guard keysArePaths, !items.contains(where: { $0.newKey != nil }) else {
      return isUndo ? places.reversed() : places
    }
    return places.sorted { items[$0].key < items[$1].key }
  }

  /// The entries of a step as it is to be replayed: where it is not known how the store kept what
  /// the step left, that which has the value is taken for it.
  private func recognised(_ items: [JournalItem], isUndo: Bool) async throws -> [JournalItem] {
    // Of others a fingerprint is that of the value.
    guard keysArePaths else { return items }
    var items = items
    let places = items.indices.filter {
      items[$0][after: isUndo]?.isKnown == false && items[$0].subject != .expiry
    }
    let keys = places.map { place in
      (isUndo ? items[place].newKey : nil) ?? items[place].key
    }
    try await writer.store.source.forEachEntry(keys.map(\.exactPath)) { index, entry in
      if let entry { items[places[index]].recognise(entry, after: isUndo) }
    }
    return items
  }

  /// What takes entries back at the store, or makes them again.
  private func change(_ items: [JournalItem], isUndo: Bool) -> StoreChange {
    let items = keysArePaths ? items.map(\.withExactKeys) : items
    let renames = items.compactMap { $0.rename(isUndo: isUndo) }
    return renames.isEmpty
      ? .changes(ChangesQuery(items.map { $0.change(isUndo: isUndo) }))
      : .renames(RenamesQuery(renames))
  }

  private static func taken(isUndo: Bool) -> StoreError {
    .busy(
      "another larder takes the same change back, or makes it again, just now; nothing was "
        + "\(isUndo ? "undone" : "redone"). Try again")
  }

  private static func passedOver(isUndo: Bool, isLast: Bool) -> StoreError {
    .notFound(
      "the last change was interrupted, and turned out to be none to \(isUndo ? "undo" : "redo"); "
        + "nothing was \(isUndo ? "undone" : "redone") now. "
        + (isLast ? "There is no other in this store" : "Again goes on with the one before it"))
  }

  private static func undecided(_ step: RecordedStep) -> StoreError {
    .changedSince(
      "step \(step.number) was interrupted, and what it was to change is now neither "
        + "as before nor as after it; nothing was undone. A step of another number can be undone "
        + "by it")
  }
}

// MARK: - Conflicts

extension JournaledHistory {
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [StepConflict] {
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
      // Of several that exchange their keys none is free before.
      if !taken.contains(to) { expected.append((to, nil, item)) }
    }
    var found: [StepConflict] = []
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
        found.append(StepConflict(expected: left, found: entry ?? Entry(key: key)))
        return
      }
      var conflict = StepConflict(
        expected: Entry(side: side?.value, of: key), found: Entry(side: now, of: key))
      if isOfOne, !(keysArePaths && key.isElement) {
        let outcome = item[after: !isUndo]
        conflict.outcome = Entry(side: outcome?.value, of: key, form: outcome?.form)
      }
      found.append(conflict)
    }
    return found
  }

  /// The conflicts of a step whose entries the store recorded.
  private func recordedConflicts(
    of step: RecordedStep, isUndo: Bool, limit: Int
  ) async throws -> [StepConflict] {
    let entries = try await writer.undo.entries(of: step.storeRecord ?? [])
    var found: [StepConflict] = []
    for start in stride(from: 0, to: entries.count, by: PageLimit.maximum)
    where found.count < limit {
      let part = entries[start...].prefix(PageLimit.maximum)
      try await writer.store.source.forEachEntry(part.map(\.key)) { place, entry in
        let recorded = part[start + place]
        let expected = isUndo ? recorded.after : recorded.before
        let value = recorded.recorded(of: entry?.value)
        guard found.count < limit, expected != value else { return }
        found.append(
          StepConflict(
            expected: Entry(side: expected, of: recorded.key),
            found: Entry(side: value, of: recorded.key)))
      }
    }
    return found
  }
}

extension StepEntry {
  /// An entry as the journal keeps it; of a rename it keeps a digest and no value.
  fileprivate init(_ item: JournalItem) {
    let hasValues = item.newKey == nil
    self.init(
      item.key, newKey: item.newKey, before: hasValues ? item.before?.value : nil,
      after: hasValues ? item.after?.value : nil)
  }
}

extension EntryKey {
  /// Whether it names a place in an array, where there may be the element of somebody else by now.
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
  func entry(before key: EntryKey) async throws -> Entry? {
    var key = key
    var turn = Int64.max
    while true {
      let (name, last, location) = (key, turn, location)
      let listed = try await journal.read(whereAbsent: nil) {
        try $0.change(of: name, before: last, at: location)
      }
      if let entry = try await counted(key, between: listed?.turn ?? 0, and: turn) { return entry }
      guard let listed else { return nil }
      let (item, time) = (listed.item, listed.step.time)
      turn = listed.turn
      if item.isShifted {
        // What is there now was added since, or nothing is.
        if item.after == nil { return nil }
        let step = try await journal.read(whereAbsent: nil) { try $0.step(listed.step) }
        guard let mover = step?.mover(to: item.key), let before = mover.before else {
          throw StoreError.failed(
            "which value it was before \(Timestamp.text(of: time)) is not known: places in its list "
              + "have moved then")
        }
        key = PlaceList.replacing(item.key, with: mover.key, in: key)
        // In the same step it may have got another value.
        guard name == item.key, before.value != item.after?.value else { continue }
        return Entry(side: before.value, of: key, modified: time)
      }
      guard item.newKey != nil else {
        // Earlier versions kept the rowid of a row in the place of a form.
        let form = item.before?.form.flatMap { $0.hasPrefix("row ") ? nil : $0 }
        return Entry(side: item.before?.value, of: key, form: form, modified: time)
      }
      // Of a rename the journal keeps no value: that is with the change before.
      key = item.key
    }
  }

  /// The entry before the last of the steps between two turns that changed it, of which the journal
  /// lists the first entry and the store recorded the others.
  private func counted(
    _ key: EntryKey, between first: Int64, and last: Int64
  ) async throws -> Entry? {
    guard writer.undo.recordsEntries else { return nil }
    var turn = last
    while true {
      let (before, location) = (turn, location)
      let found = try await journal.read(whereAbsent: nil) {
        try $0.countedStep(between: first, and: before, at: location)
      }
      guard let found else { return nil }
      turn = found.turn
      let entries = try await writer.undo.entries(of: found.step.storeRecord ?? [])
      guard let entry = entries.first(where: { $0.key == key }) else { continue }
      return Entry(side: entry.before, of: key, modified: found.step.record.time)
    }
  }
}
