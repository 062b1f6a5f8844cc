import Harmony
import LarderCore

extension JournaledWriter {
  /// Finds out what became of the steps that killed processes have begun, while it can still be
  /// seen: a later change of the same entry would hide it.
  func settleAbandoned() async {
    guard let steps = try? await journal.abandoned(at: location) else { return }
    // One whose entries cannot be read now stays as it is, and does not stand in others' way.
    for step in steps { _ = try? await settleInterrupted(step) }
  }

  /// Finds out at the store what became of a step that was interrupted, and keeps it.
  ///
  /// - Returns: Whether that can be told.
  func settleInterrupted(_ step: JournalTable.Step) async throws -> Bool {
    var step = step
    let (isDecided, found) = try await decide(&step)
    if isDecided {
      try await finishRename(step, found)
      try await findKeys(of: &step)
    }
    try await journal.settleInterrupted(step, isDecided: isDecided)
    return isDecided
  }

  /// Decides by what the store holds which entries of a step are as the step made them.
  ///
  /// - Returns: Whether that can be told, and what was looked at; of a step whose entries the store
  ///   recorded, the store itself looks.
  private func decide(
    _ step: inout JournalTable.Step
  ) async throws -> (isDecided: Bool, found: [EntryKey: StoredValue]) {
    guard step.count != nil else {
      let found = try await marks(of: step)
      return (step.settle(found, isAtomic: kind.isAtomic), found.values)
    }
    guard let isMade = try await undo.isMade(step.storeRecord ?? []) else { return (false, [:]) }
    for place in step.items.indices { step.items[place].isDone = isMade }
    return (true, [:])
  }

  /// Takes over the paths that pointers led to, of which only the step itself would have been told.
  private func findKeys(of step: inout JournalTable.Step) async throws {
    guard kind.keysArePaths else { return }
    for place in step.items.indices where step.items[place].isDone {
      let item = step.items[place]
      guard item.newKey == nil, item.after != nil, item.key.exactPath != item.key,
        let entry = try await source.entry(item.key)
      else { continue }
      step.items[place].key = entry.key
    }
  }

  /// Keeps what became of a step that was made: what was done is done, also where the journal can
  /// no longer be told.
  func settle(_ step: JournalTable.Step) async {
    do {
      try await journal.settle(step)
    } catch {
      remarks?.add(
        "\(StoreError(error).message), and does not know yet that the change was made; undo finds "
          + "that out at the store when this larder has ended")
    }
  }

  /// Keeps what became of a step that failed, which is what was known where nothing else can be
  /// told.
  func settle(
    _ step: JournalTable.Step, after error: any Error, _ record: ChangeRecord
  ) async throws {
    var step = step
    // Then nothing was changed, and what is there was made by others.
    var isUntouched = undo.reportsWriting && !record.isWriting
    if case StoreError.conflict = error, kind.isAtomic || step.items.count == 1 {
      isUntouched = true
    }
    // A program that nobody reaches was not told anything.
    if undo.isUnreached(error) { isUntouched = true }
    if !isUntouched {
      let (isDecided, found): (Bool, [EntryKey: StoredValue])
      do {
        (isDecided, found) = try await decide(&step)
      } catch {
        // Whoever changes the store next finds out, where it can be read then.
        return try await journal.leave(step)
      }
      if isDecided {
        try? await finishRename(step, found)
      } else if step.count != nil {
        return try await journal.leave(step)
      }
    }
    try await journal.settle(step)
  }

  /// Keeps what became of a step whose entries are changed one after the other, and that ended early.
  ///
  /// Whatever others have done to the entries that it had not come to is no part of it.
  func settle(
    _ step: JournalTable.Step, _ change: PartialChange, after error: any Error
  ) async throws {
    var step = step
    step.finish(partly: change.made)
    // A program that nobody reaches was not told anything.
    if !change.isStopped, !undo.isUnreached(error),
      let place = step.items.firstIndex(where: { change.made[$0.key] == nil })
    {
      do {
        step.items[place].settle(cached: try await source.entry(step.items[place].key))
      } catch {
        return try await journal.leave(step)
      }
    }
    try await journal.settle(step)
  }

  /// Takes the second name away that a process gave a file, which was stopped before it took away
  /// the first, so that the file was not renamed.
  private func finishRename(
    _ step: JournalTable.Step, _ found: [EntryKey: StoredValue]
  ) async throws {
    guard !kind.isAtomic, let item = step.items.first(where: { !$0.isDone }),
      let newKey = item.newKey, found[item.key] == item.before, found[newKey] == item.after
    else { return }
    guard case .text(let digest)? = item.after, let fingerprint = Fingerprint(digest) else {
      return
    }
    try await undo.removeSecondName(newKey, of: item.key, holding: fingerprint, in: source)
  }

  /// What the store holds under the keys of a step, where it holds something.
  private func marks(of step: JournalTable.Step) async throws -> JournalMarks {
    var marks = JournalMarks()
    let asked = step.items.flatMap { item in
      ([item.key] + (item.newKey.map { [$0] } ?? [])).map { (key: $0, item: item) }
    }
    let take = { (place: Int, entry: Entry?) in
      let (key, item) = asked[place]
      marks.values[key] = item.mark(of: entry)
      marks.prints[key] = entry.flatMap { item.print(of: $0) }
    }
    // Times, and what is cached alone, are of what is shown.
    if step.items.contains(where: { $0.isTime || $0.isCached }) {
      try await source.forEachEntry(asked.map(\.key), take)
    } else {
      try await forEachBase(asked.map(\.key), areKept: false, take)
    }
    return marks
  }
}

/// How far a step came whose entries are changed one after the other.
struct PartialChange: Sendable {
  /// What became of those that were changed, nil of one that is not there any more.
  var made: [EntryKey: Entry?] = [:]
  /// Whether it was stopped between two of them.
  var isStopped = false
}

/// What a store holds of the entries of a step.
struct JournalMarks {
  /// The values, or their digests, by key.
  var values: [EntryKey: StoredValue] = [:]
  /// The fingerprints of entries where these are not those of the values.
  var prints: [EntryKey: Fingerprint] = [:]
}

extension JournalTable.Step {
  /// Concludes from what the store holds which entries are as the step made them, and takes over how
  /// those are spelled and kept that turn out to have been changed or taken back.
  ///
  /// What was left as it is known may have got another spelling since, from others.
  ///
  /// - Parameters:
  ///   - found: What the store holds.
  ///   - isAtomic: Whether the store makes all changes or none.
  /// - Returns: Whether that can be told; entries of which it cannot stay as they were.
  mutating func settle(_ found: JournalMarks, isAtomic: Bool) -> Bool {
    let wereDone = items.map(\.isDone)
    let isDecided = settle(found.values, isAtomic: isAtomic, but: keysOfOthers(found))
    for (place, wasDone) in wereDone.enumerated() {
      let item = items[place]
      guard item.isDone != wasDone, item.newKey == nil, let value = found.values[item.key],
        value == (item.isDone ? item.after : item.before)
      else { continue }
      items[place].setPrint(found.prints[item.key], of: item.isDone ? .after : .before)
    }
    return isDecided
  }

  /// Concludes from what the store holds which entries are as the step made them.
  ///
  /// - Parameters:
  ///   - found: The values, or their digests, by key.
  ///   - isAtomic: Whether the store makes all changes or none.
  ///   - others: The keys of which others have written what is there.
  /// - Returns: Whether that can be told; entries of which it cannot stay as they were.
  mutating func settle(
    _ found: [EntryKey: StoredValue], isAtomic: Bool, but others: Set<EntryKey> = []
  ) -> Bool {
    let isRename = items.contains { $0.newKey != nil }
    if isAtomic { return settleWhole(found, but: others) }
    if isRename { return settleInOrder(found) }
    var isDecided = true
    for place in items.indices {
      let item = items[place]
      let value = found[item.key]
      if value == item.before {
        items[place].isDone = false
      } else if value == item.after {
        items[place].isDone = true
      } else {
        isDecided = false
      }
    }
    // What a program has cached anew says nothing of the others, and each is compared again.
    return isDecided || record.step.action.isOfCache
  }

  /// Finds out whether all changes were made, or none.
  ///
  /// What others changed says nothing: of two states it is enough that one of the keys, in which
  /// they differ, is as in one of them and none as in the other.
  private mutating func settleWhole(
    _ found: [EntryKey: StoredValue], but others: Set<EntryKey>
  ) -> Bool {
    let states = [0, items.count].map { (count: $0, values: values(after: $0)) }
    let telling = keys.filter { key in Set(states.map { $0.values[key] }).count > 1 }
    let fitting = states.filter { state in
      telling.contains { found[$0] == state.values[$0] && !others.contains($0) }
    }.map(\.count)
    guard let count = fitting.first, fitting.count == 1 else {
      return keys.allSatisfy { key in states.allSatisfy { $0.values[key] == found[key] } }
    }
    for place in items.indices { items[place].isDone = place < count }
    return true
  }

  /// Finds the number of changes, made in order, after which the store looks as it does.
  private mutating func settleInOrder(_ found: [EntryKey: StoredValue]) -> Bool {
    // From one state to the next only the keys of one change differ: there may be many of both.
    var values = values(after: 0)
    var others = keys.filter { found[$0] != values[$0] }
    for count in 0...items.count {
      if count > 0 {
        let item = items[count - 1]
        make(item, in: &values)
        for key in [item.key, item.newKey ?? item.key] {
          if found[key] == values[key] { others.remove(key) } else { others.insert(key) }
        }
      }
      // A killed process may have linked the file to its new name only.
      guard others.allSatisfy({ isHalfRenamed(to: $0, after: count, found) }) else { continue }
      for place in items.indices { items[place].isDone = place < count }
      return true
    }
    return false
  }

  /// All keys that the step has to do with.
  private var keys: Set<EntryKey> {
    Set(items.map(\.key)).union(items.compactMap(\.newKey))
  }

  private func make(_ item: JournalItem, in values: inout [EntryKey: StoredValue]) {
    if let newKey = item.newKey {
      values[item.key] = nil
      values[newKey] = item.after
    } else {
      values[item.key] = item.after
    }
  }

  /// What the keys hold after so many changes, made in order.
  private func values(after count: Int) -> [EntryKey: StoredValue] {
    var values: [EntryKey: StoredValue] = [:]
    for item in items { values[item.key] = item.before }
    for item in items.prefix(count) { make(item, in: &values) }
    return values
  }

  private func isHalfRenamed(
    to key: EntryKey, after count: Int, _ found: [EntryKey: StoredValue]
  ) -> Bool {
    guard count < items.count else { return false }
    return items[count].newKey == key && found[key] == items[count].after
  }
}
