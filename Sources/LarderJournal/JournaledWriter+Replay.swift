import Harmony
import LarderCore

extension JournaledWriter {
  /// Takes a step back, or does it again, if every entry still is as the step left it.
  func replay(_ request: ReplayRequest) async throws -> JournalStep {
    let meant = try await journal.record(request, at: location)?.step.number
    await settleAbandoned()
    var step = try await next(request, meaning: meant)
    while step.record.state == .interrupted {
      guard try await settleInterrupted(step) else { throw Self.undecided(step) }
      let settled = step
      step = try await next(request, meaning: meant)
      // Nothing is gained by another look at what does not change.
      guard
        step.record.state != settled.record.state || step.record.step != settled.record.step
          || step.process != settled.process
      else { throw Self.undecided(step) }
    }
    // Who takes the last change back means the one that they saw last.
    if let meant, step.record.step.number != meant {
      throw Self.passedOver(isUndo: !request.isRedo, isLast: false)
    }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    let places = step.items.indices.filter { step.items[$0].isDone == isUndo }
    var ordered = order(places, of: step, isUndo: isUndo)
    guard try await journal.reopen(step, isUndo: isUndo) else { throw Self.taken(isUndo: isUndo) }
    // Rows and bytes of files are brought back as a whole, or not at all.
    let isWhole = places.count == step.items.count
    let record = ChangeRecord(
      isUndo ? .undo : .redo, recorded: step.storeRecord, isWhole: isWhole, count: step.count,
      limit: journal.limit,
      keep: keep(step.record.step.number))
    let written: [Entry]
    do {
      let items = try await withPrints(ordered.map { step.items[$0] }, isUndo: isUndo)
      switch step.record.step.action {
      case .touch: written = try await retime(items, isUndo: isUndo)
      case .refresh, .evict:
        let exchanged = try await exchange(items, isUndo: isUndo)
        written = exchanged.written
        // What the program has cached anew is done with: it must not stand in the way of other steps.
        for place in ordered { step.items[place].isDone = !isUndo }
        ordered = ordered.filter { exchanged.keys.contains(step.items[$0].key) }
      case .write, .delete, .rename:
        written = try await undo.commit(change(items, isUndo: isUndo), record, in: source)
      }
    } catch {
      try? await settle(step, after: error, record)
      throw error
    }
    step.finish(ordered, with: written, isUndo: isUndo)
    await settle(step)
    // It is taken back all the same.
    if isUndo, request.isForgotten { try? await journal.forget(step) }
    guard step.record.step.action.isOfCache, let first = ordered.min() else {
      return step.record.step(isUndone: isUndo)
    }
    return step.record.step(
      isUndone: isUndo, of: ordered.count, from: step.items[first].key)
  }

  /// The step to replay, where one was seen there before it was known what became of it.
  private func next(
    _ request: ReplayRequest, meaning meant: Int64?
  ) async throws -> JournalTable.Step {
    guard let step = try await journal.step(request, at: location) else {
      if meant != nil, request.step == nil {
        throw Self.passedOver(isUndo: !request.isRedo, isLast: true)
      }
      throw StoreError.notFound(try await nothing(request))
    }
    return step
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
    return request.isRedo
      ? "step \(number) is not one of this store that was undone"
      : "step \(number) is not one of this store that can be undone"
  }

  /// The order in which entries are changed: an undo begins at the end, but elements of an array
  /// come back from the first to the last, as none can be behind a gap.
  private func order(_ places: [Int], of step: JournalTable.Step, isUndo: Bool) -> [Int] {
    let items = step.items
    guard kind.keysArePaths, !items.contains(where: { $0.newKey != nil }) else {
      return isUndo ? places.reversed() : places
    }
    return places.sorted { items[$0].key < items[$1].key }
  }

  /// What takes entries back at the store, or makes them again.
  private func change(_ items: [JournalItem], isUndo: Bool) -> StoreChange {
    let items = kind.keysArePaths ? items.map(\.withExactKeys) : items
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

  private static func undecided(_ step: JournalTable.Step) -> StoreError {
    .changedSince(
      "step \(step.record.step.number) was interrupted, and what it was to change is now neither "
        + "as before nor as after it; nothing was undone. A step of another number can be undone "
        + "by it")
  }
}

extension JournaledWriter {
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [StepConflict] {
    guard let step = try await journal.step(request, at: location) else { return [] }
    try await checkPositions(of: step)
    let isUndo = !request.isRedo
    if step.count != nil {
      return try await recordedConflicts(of: step, isUndo: isUndo, limit: limit)
    }
    let isOfOne = step.items.count == 1 && [.write, .delete].contains(step.record.step.action)
    let items = step.items.filter { $0.isDone == isUndo }
      .map { kind.keysArePaths ? $0.withExactKeys : $0 }
    var expected: [(key: EntryKey, value: StoredValue?, item: JournalItem)] = []
    let taken = Set(items.map { isUndo ? $0.newKey ?? $0.key : $0.key })
    for item in items {
      let value = isUndo ? item.after : item.before
      guard let newKey = item.newKey else {
        expected.append((item.key, value, item))
        continue
      }
      let (from, to) = isUndo ? (newKey, item.key) : (item.key, newKey)
      expected.append((from, value, item))
      // Of several that exchange their keys none is free before.
      if !taken.contains(to) { expected.append((to, nil, item)) }
    }
    var found: [StepConflict] = []
    let compare = { (place: Int, entry: Entry?) in
      let (key, value, item) = expected[place]
      guard found.count < limit else { return }
      let now = item.mark(of: entry)
      let print = isUndo ? item.afterPrint : item.beforePrint
      let isSpelledOtherwise =
        item.known.contains(isUndo ? .after : .before)
        && entry.flatMap { item.print(of: $0) } != print
      guard now != value || (value != nil && isSpelledOtherwise) else { return }
      guard item.newKey == nil else {
        var left = Entry(key: key)
        if case .text(let digest)? = value { left.fingerprint = Fingerprint(digest) }
        found.append(StepConflict(expected: left, found: entry ?? Entry(key: key)))
        return
      }
      var conflict = StepConflict(
        expected: Entry(side: value, of: key), found: Entry(side: now, of: key))
      if isOfOne, !(kind.keysArePaths && key.isElement) {
        conflict.outcome =
          isUndo
          ? Entry(side: item.before, of: key, form: item.beforeForm)
          : Entry(side: item.after, of: key, form: item.afterForm)
      }
      found.append(conflict)
    }
    if items.contains(where: { $0.isTime || $0.isCached }) {
      try await source.forEachEntry(expected.map(\.key), compare)
    } else {
      try await forEachBase(expected.map(\.key), areKept: false, compare)
    }
    return found
  }
}

extension JournaledWriter {
  /// The conflicts of a step whose entries the store recorded.
  private func recordedConflicts(
    of step: JournalTable.Step, isUndo: Bool, limit: Int
  ) async throws -> [StepConflict] {
    let entries = try await undo.entries(of: step.storeRecord ?? [])
    var found: [StepConflict] = []
    for start in stride(from: 0, to: entries.count, by: PageLimit.greatest)
    where found.count < limit {
      let part = entries[start...].prefix(PageLimit.greatest)
      try await source.forEachEntry(part.map(\.key)) { place, entry in
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

extension EntryKey {
  /// Whether it names a place in an array, where there may be the element of somebody else by now.
  fileprivate var isElement: Bool {
    if case .index? = documentPath?.last { true } else { false }
  }
}

extension Entry {
  fileprivate init(side value: StoredValue?, of key: EntryKey, form: String? = nil) {
    self = value.map { Entry(key: key, value: $0, form: form) } ?? Entry(key: key)
  }
}
