import LarderDocuments
import Harmony
import LarderModel

extension JournaledDataSource {
  /// Determines the outcome of changes that were interrupted when their process was killed, before
  /// a later change of the same entry makes that impossible.
  func settleAbandoned() async {
    let steps = try? await journal.read(whereAbsent: []) { [location] in
      try $0.abandoned(at: location)
    }
    // A change whose entries cannot be read now stays as it is, and does not block others.
    for step in steps ?? [] { _ = try? await settleInterrupted(step) }
  }

  /// Determines from the store the outcome of an interrupted change, and records it.
  ///
  /// - Returns: Whether the outcome could be determined.
  func settleInterrupted(_ step: RecordedChange) async throws -> Bool {
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

  /// Determines from the store which entries of a change are done.
  ///
  /// - Returns: Whether that could be determined, and the values found; these are empty for a
  ///   change whose entries the store recorded, as the store checks those itself.
  private func decide(
    _ step: inout RecordedChange
  ) async throws -> (isDecided: Bool, found: [EntryKey: JournalItem.Side]) {
    guard step.count != nil else {
      let found = try await sides(of: step)
      return (step.settle(found, isAtomic: store.kind.isAtomic), found)
    }
    guard let isMade = try await undo.isMade(step.storeRecord ?? []) else { return (false, [:]) }
    for place in step.items.indices { step.items[place].isDone = isMade }
    return (true, [:])
  }

  /// Replaces JSON Pointers with the key paths that they resolve to, which are otherwise only known
  /// once a change completes.
  private func findKeys(of step: inout RecordedChange) async throws {
    guard store.kind.keysArePaths else { return }
    for place in step.items.indices where step.items[place].isDone {
      let item = step.items[place]
      guard item.newKey == nil, item.after != nil, item.key.exactPath != item.key,
        let entry = try await store.source.entry(item.key)
      else { continue }
      step.items[place].key = entry.key
    }
  }

  /// Records the outcome of a change that was made.
  ///
  /// If the journal cannot be written, a warning is added: the change itself is done.
  func settle(_ step: RecordedChange) async {
    do {
      try await journal.write(.settling) { [step] in try $0.settle(step) }
    } catch {
      warnings.add(Messages.unsettled(StoreError(error).message))
    }
  }

  /// Records the outcome of a change that failed, as far as it can be determined.
  func settle(_ step: RecordedChange, after error: any Error, _ record: ChangeRecord) async throws {
    var step = step
    let isConflict = if case StoreError.conflict = error { true } else { false }
    // In these cases the change had no effect, and any difference was made by other programs.
    let isUntouched =
      undo.reportsWriting && !record.isWriting || undo.isUnreached(error)
      || isConflict && (store.kind.isAtomic || step.items.count == 1)
    if !isUntouched {
      // If the store or the journal cannot be accessed, the next run that changes the store finds
      // out.
      guard let (isDecided, found) = try? await decide(&step), isDecided || step.count == nil else {
        return try await leave(step)
      }
      if isDecided { try? await finishRename(step, found) }
    }
    try await journal.write(.settling) { [step] in try $0.settle(step) }
  }

  /// Records the outcome of a change that processes its entries one by one and ended early.
  ///
  /// Changes by other programs to the remaining entries are not part of it.
  ///
  /// - Parameters:
  ///   - step: The change.
  ///   - made: The entries that were processed, as they are now; nil for one that was removed.
  ///   - isStopped: Whether the change was stopped between two entries.
  /// - Throws: `StoreError` if the journal cannot be written.
  func settle(
    _ step: RecordedChange, partly made: [EntryKey: Entry?], isStopped: Bool
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
    try await journal.write(.settling) { [step] in try $0.settle(step) }
  }

  /// Marks a change of this process as interrupted, as if the process had been killed, since its
  /// outcome cannot be determined.
  private func leave(_ step: RecordedChange) async throws {
    try await journal.write(.settling) { try $0.leave(step) }
  }

  /// Removes the second link to a file, if a process was stopped between linking the new name and
  /// unlinking the old one.
  ///
  /// The file then keeps its old name.
  private func finishRename(
    _ step: RecordedChange, _ found: [EntryKey: JournalItem.Side]
  ) async throws {
    guard !store.kind.isAtomic, let item = step.items.first(where: { !$0.isDone }),
      let newKey = item.newKey, found[item.key]?.value == item.before?.value,
      found[newKey]?.value == item.after?.value, let fingerprint = item.after?.fingerprint
    else { return }
    try await undo.removeSecondName(newKey, of: item.key, holding: fingerprint, in: store.source)
  }

  /// Returns the current states in the store of all keys of a change.
  private func sides(of step: RecordedChange) async throws -> [EntryKey: JournalItem.Side] {
    var sides: [EntryKey: JournalItem.Side] = [:]
    let asked = step.items.flatMap { item in item.keys.map { (key: $0, item: item) } }
    try await forEachFound(asked.map(\.key), step.items.first?.subject) { place, entry in
      let (key, item) = asked[place]
      sides[key] = item.side(of: entry)
    }
    return sides
  }

  /// Reads the entries that those of a change are compared with.
  func forEachFound(
    _ keys: [EntryKey], _ subject: JournalItem.Subject?, maximumSize: Int? = nil,
    _ take: (Int, Entry?) throws -> Void
  ) async throws {
    switch subject {
    // Expiries and cached values are read through the cache.
    case .expiry, .cached: try await store.source.forEachEntry(keys, take)
    default: try await store.forEachBase(keys, maximumSize: maximumSize, take)
    }
  }
}
