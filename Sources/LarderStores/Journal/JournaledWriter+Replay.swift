import Foundation
import Harmony
import LarderCore

extension JournaledWriter {
  /// Takes a step back, or does it again, if every entry still is as the step left it.
  func replay(_ query: UndoQuery) async throws -> JournalStep {
    await settleAbandoned()
    guard var step = try await journal.step(query, at: location) else {
      throw StoreError.notFound(Self.nothing(query))
    }
    let isUndo = !query.isRedo
    let places = step.items.indices.filter { step.items[$0].isDone == isUndo }
    try await journal.reopen(step)
    do {
      try await perform(places.map { step.items[$0] }, isUndo: isUndo)
    } catch {
      try? await settle(step)
      throw error
    }
    for place in places { step.items[place].isDone = !isUndo }
    try? await journal.settle(step)
    return step.record.step(isUndone: isUndo)
  }

  private func perform(_ items: [JournalItem], isUndo: Bool) async throws {
    let renames = items.compactMap { $0.rename(isUndo: isUndo) }
    if !renames.isEmpty {
      let renames = isUndo ? renames.reversed() : renames
      _ = try await source.putAll([], in: RenamesQuery(renames)).get()
      return
    }
    let changes = items.map { $0.change(isUndo: isUndo) }
    guard let change = changes.first, changes.count == 1 else {
      _ = try await source.putAll([], in: ChangesQuery(isUndo ? changes.reversed() : changes)).get()
      return
    }
    guard let value = change.value else {
      try await source.delete(EntryQuery(change.key, expecting: change.expecting)).get()
      return
    }
    let query = ReplaceQuery(change.key, expecting: change.expecting)
    _ = try await source.put(
      Entry(key: change.key, value: value, form: change.form), in: query
    ).get()
  }

  /// Finds out what became of the steps that killed processes have begun, while it can still be
  /// seen: a later change of the same entry would hide it.
  func settleAbandoned() async {
    guard let steps = try? await journal.abandoned(at: location) else { return }
    // One whose entries cannot be read now stays as it is, and does not stand in others' way.
    for step in steps { try? await settle(step) }
  }

  /// Finds out at the store what became of a step that was interrupted, and keeps it.
  func settle(_ step: JournalTable.Step) async throws {
    var step = step
    for place in step.items.indices {
      let item = step.items[place]
      var old = try await entry(item.key)?.value
      if let newKey = item.newKey {
        // An entry that is under its new key is not under the old one.
        let new = try await entry(newKey)?.value
        if old == nil { old = new == item.after ? nil : item.before } else { old = item.before }
        if old == nil {
          step.items[place].isDone = true
        } else if new == nil {
          step.items[place].isDone = false
        }
        continue
      }
      // What others changed meanwhile says nothing about the step.
      if old == item.before {
        step.items[place].isDone = false
      } else if old == item.after {
        step.items[place].isDone = true
      }
    }
    try await journal.settle(step)
  }

  private static func nothing(_ query: UndoQuery) -> String {
    if let number = query.step {
      return query.isRedo
        ? "step \(number) is not one of this store that was undone"
        : "step \(number) is not one of this store that can be undone"
    }
    return query.isRedo
      ? "nothing was undone in this store since its last change" : "nothing to undo in this store"
  }
}

extension JournalTable.Step {
  /// Takes over what the store made of the values.
  mutating func finish(with written: [Entry]) {
    let stored = Dictionary(written.map { ($0.key, $0) }) { $1 }
    for place in items.indices {
      items[place].isDone = true
      let key = items[place].newKey ?? items[place].key
      guard items[place].after != nil, let entry = stored[key] else { continue }
      (items[place].after, items[place].afterForm) = (entry.value, entry.form)
    }
  }
}

extension JournalRecord {
  init(
    _ number: Int64, _ action: JournalStep.Action, _ items: [JournalItem],
    _ location: StoreLocation
  ) {
    self.init(
      step: JournalStep(
        number: number, action: action, count: items.count, key: items.first?.key ?? .null,
        newKey: items.first?.newKey, isUndone: false),
      time: .now, location: location, state: .running)
  }

  func step(isUndone: Bool) -> JournalStep {
    JournalStep(
      number: step.number, action: step.action, count: step.count, key: step.key,
      newKey: step.newKey, isUndone: isUndone)
  }
}
