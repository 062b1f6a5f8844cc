import LarderDocuments
import Harmony
import LarderModel

extension JournaledWriter {
  /// Finds out what became of the steps that killed processes have begun, while it can still be
  /// seen: a later change of the same entry would hide it.
  func settleAbandoned() async {
    let steps = try? await journal.read(whereAbsent: []) { [location] in
      try $0.abandoned(at: location)
    }
    // One whose entries cannot be read now stays as it is, and does not stand in others' way.
    for step in steps ?? [] { _ = try? await settleInterrupted(step) }
  }

  /// Finds out at the store what became of a step that was interrupted, and keeps it.
  ///
  /// - Returns: Whether that can be told.
  func settleInterrupted(_ step: RecordedStep) async throws -> Bool {
    var settled = step
    let (isDecided, found) = try await decide(&settled)
    if isDecided {
      try await finishRename(settled, found)
      try await findKeys(of: &settled)
    }
    try await journal.write(.writing) { [settled] in
      try $0.settleInterrupted(settled, isDecided: isDecided)
    }
    return isDecided
  }

  /// Decides by what the store holds which entries of a step are as the step made them.
  ///
  /// - Returns: Whether that can be told, and what was looked at; of a step whose entries the store
  ///   recorded, the store itself looks.
  private func decide(
    _ step: inout RecordedStep
  ) async throws -> (isDecided: Bool, found: [EntryKey: StoredValue]) {
    guard step.count != nil else {
      let found = try await marks(of: step)
      return (step.settle(found, isAtomic: store.kind.isAtomic), found.values)
    }
    guard let isMade = try await undo.isMade(step.storeRecord ?? []) else { return (false, [:]) }
    for place in step.items.indices { step.items[place].isDone = isMade }
    return (true, [:])
  }

  /// Takes over the paths that pointers led to, of which only the step itself would have been told.
  private func findKeys(of step: inout RecordedStep) async throws {
    guard store.kind.keysArePaths else { return }
    for place in step.items.indices where step.items[place].isDone {
      let item = step.items[place]
      guard item.newKey == nil, item.after != nil, item.key.exactPath != item.key,
        let entry = try await store.source.entry(item.key)
      else { continue }
      step.items[place].key = entry.key
    }
  }

  /// Keeps what became of a step that was made: what was done is done, also where the journal can
  /// no longer be told.
  func settle(_ step: RecordedStep) async {
    do {
      try await journal.settle(step)
    } catch {
      remarks.add(
        "\(StoreError(error).message), and does not know yet that the change was made; undo finds "
          + "that out at the store when this larder has ended")
    }
  }

  /// Keeps what became of a step that failed, which is what was known where nothing else can be
  /// told.
  func settle(
    _ step: RecordedStep, after error: any Error, _ record: ChangeRecord
  ) async throws {
    var step = step
    let isConflict = if case StoreError.conflict = error { true } else { false }
    // Then nothing was changed, and what is there was made by others: a program that nobody reaches was
    // not told anything either.
    let isUntouched =
      undo.reportsWriting && !record.isWriting || undo.isUnreached(error)
      || isConflict && (store.kind.isAtomic || step.items.count == 1)
    if !isUntouched {
      // Where it cannot be read or told, whoever changes the store next finds out.
      guard let (isDecided, found) = try? await decide(&step), isDecided || step.count == nil else {
        return try await leave(step)
      }
      if isDecided { try? await finishRename(step, found) }
    }
    try await journal.settle(step)
  }

  /// Keeps what became of a step whose entries are changed one after the other, and that ended early.
  ///
  /// Whatever others have done to the entries that it had not come to is no part of it.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - made: What became of the entries that were changed, nil of one that is not there any more.
  ///   - isStopped: Whether it was stopped between two of them.
  /// - Throws: `StoreError` where the journal cannot be written.
  func settle(
    _ step: RecordedStep, partly made: [EntryKey: Entry?], isStopped: Bool
  ) async throws {
    var step = step
    step.finish(partly: made)
    if !isStopped, let place = step.items.firstIndex(where: { made[$0.key] == nil }) {
      do {
        step.items[place].settle(cached: try await store.source.entry(step.items[place].key))
      } catch {
        return try await leave(step)
      }
    }
    try await journal.settle(step)
  }

  /// Leaves a step that this process began, and can find out nothing of, as if the process had been
  /// killed.
  private func leave(_ step: RecordedStep) async throws {
    try await journal.write(.settling) { try $0.leave(step) }
  }

  /// Takes the second name away that a process gave a file, which was stopped before it took away
  /// the first, so that the file was not renamed.
  private func finishRename(
    _ step: RecordedStep, _ found: [EntryKey: StoredValue]
  ) async throws {
    guard !store.kind.isAtomic, let item = step.items.first(where: { !$0.isDone }),
      let newKey = item.newKey, found[item.key] == item.before?.value,
      found[newKey] == item.after?.value, let fingerprint = item.after?.fingerprint
    else { return }
    try await undo.removeSecondName(newKey, of: item.key, holding: fingerprint, in: store.source)
  }

  /// What the store holds under the keys of a step, where it holds something.
  private func marks(of step: RecordedStep) async throws -> JournalMarks {
    var marks = JournalMarks()
    let asked = step.items.flatMap { item in
      ([item.key] + (item.newKey.map { [$0] } ?? [])).map { (key: $0, item: item) }
    }
    try await forEachFound(asked.map(\.key), of: step.items) { place, entry in
      let (key, item) = asked[place]
      marks.values[key] = item.mark(of: entry)
      marks.prints[key] = entry.flatMap { item.print(of: $0) }
    }
    return marks
  }

  /// Reads what some entries of a step are compared with.
  func forEachFound(
    _ keys: [EntryKey], of items: [JournalItem], _ take: (Int, Entry?) throws -> Void
  ) async throws {
    // Times, and what is cached alone, are of what is shown.
    if items.contains(where: { $0.subject != .value }) {
      try await store.source.forEachEntry(keys, take)
    } else {
      try await store.forEachBase(keys, take)
    }
  }
}
