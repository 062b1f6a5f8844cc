import Foundation
import LarderModel

/// A step with its entries.
struct RecordedStep: Sendable {
  var record: JournalRecord
  /// The run that is at work on it, or was last.
  var process = ""
  /// The entries; the first alone where the store recorded all of several itself.
  var items: [JournalItem]
  /// How many entries there are then; nil where all are listed.
  var count: Int?
  /// What the store recorded of it.
  var storeRecord: [UInt8]?
  /// The entries as the journal has them.
  var recorded: [JournalItem] = []

  var number: Int64 { record.step.number }
}

extension RecordedStep {
  /// A step that is about to be made, and gets its number when it is recorded.
  init(_ action: JournalStep.Action, _ items: [JournalItem], at location: StoreLocation) {
    let step = JournalStep(
      number: 0, action: action, count: items.count, key: items.first?.key ?? .null,
      newKey: items.first?.newKey, isUndone: false)
    record = JournalRecord(step: step, time: .now, location: location, state: .running)
    self.items = items
  }

  /// Takes over that the step was made, and what the store made of the keys and the values.
  mutating func finish(with written: [Entry]) {
    // What was moved was not written, and is known.
    let places = items.indices.filter { !items[$0].isShifted }
    for place in items.indices { items[place].isDone = true }
    finish(
      places, with: count == nil ? written : Array(written.prefix(places.count)), isUndo: false)
  }

  /// Takes over that some entries were taken back or done again, and what the store made of them.
  mutating func finish(_ replayed: [Int], with written: [Entry], isUndo: Bool) {
    for place in replayed { items[place].isDone = !isUndo }
    let places = replayed.filter { items[$0][after: !isUndo] != nil }
    guard written.count == places.count else { return }
    for (place, entry) in zip(places, written) { items[place].take(entry, after: !isUndo) }
  }

  /// Takes over what became of some entries of a cache before something kept the others from it.
  mutating func finish(partly made: [EntryKey: Entry?]) {
    for place in items.indices {
      let key = items[place].key
      guard let entry = made[key] else { continue }
      items[place].isDone = true
      items[place].take(entry ?? Entry(key: key), after: true)
    }
  }
}

/// What a store holds of the entries of a step.
struct JournalMarks {
  /// The values, or their digests, by key.
  var values: [EntryKey: StoredValue] = [:]
  /// The fingerprints of entries where these are not those of the values.
  var prints: [EntryKey: Fingerprint] = [:]
}

// MARK: - What became of an interrupted step

extension RecordedStep {
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
    let isDecided =
      isAtomic
      ? settleWhole(found) : isRename ? settleInOrder(found.values) : settleEach(found.values)
    for (place, wasDone) in wereDone.enumerated() {
      let (item, isDone) = (items[place], items[place].isDone)
      guard isDone != wasDone, item.newKey == nil, var side = item[after: isDone],
        found.values[item.key] == side.value
      else { continue }
      (side.print, side.isKnown) = (found.prints[item.key], true)
      items[place][after: isDone] = side
    }
    return isDecided
  }

  private var isRename: Bool { items.contains { $0.newKey != nil } }

  /// Finds out of each entry whether it was changed, where one is changed after the other.
  private mutating func settleEach(_ found: [EntryKey: StoredValue]) -> Bool {
    var isDecided = true
    for place in items.indices {
      let value = found[items[place].key]
      if value == items[place].before?.value {
        items[place].isDone = false
      } else if value == items[place].after?.value {
        items[place].isDone = true
      } else {
        isDecided = false
      }
    }
    // What a program has cached again says nothing of the others, and each is compared again.
    return isDecided || record.step.action.isOfCache
  }

  /// Finds out whether all changes were made, or none.
  ///
  /// What others changed says nothing: of two states it is enough that one of the keys, in which
  /// they differ, is as in one of them and none as in the other.
  private mutating func settleWhole(_ found: JournalMarks) -> Bool {
    let others = keysOfOthers(found)
    let (unmade, made) = (values(whereMade: false), values(whereMade: true))
    func fits(_ state: [EntryKey: StoredValue]) -> Bool {
      keys.contains {
        unmade[$0] != made[$0] && found.values[$0] == state[$0] && !others.contains($0)
      }
    }
    let isMade = fits(made)
    guard isMade != fits(unmade) else {
      return keys.allSatisfy { unmade[$0] == found.values[$0] && made[$0] == found.values[$0] }
    }
    for place in items.indices { items[place].isDone = isMade }
    return true
  }

  /// The keys under which there are the values of the state that the step is not known to be in, in a
  /// spelling that neither the step nor its replay gives them: others have written them.
  ///
  /// A replay writes the bytes that there were, or the value as a new one.
  private func keysOfOthers(_ found: JournalMarks) -> Set<EntryKey> {
    let others = items.filter { item in
      guard item.newKey == nil, item.subject == .value, let side = item[after: !item.isDone],
        side.isKnown, found.values[item.key] == side.value
      else { return false }
      let usual = side.form.map { Fingerprint(of: side.value, spelled: nil, form: $0) }
      return ![side.print, usual].contains(found.prints[item.key])
    }
    return Set(others.map(\.key))
  }

  /// Finds the number of changes, made in order, after which the store looks as it does.
  private mutating func settleInOrder(_ found: [EntryKey: StoredValue]) -> Bool {
    // From one state to the next only the keys of one change differ: there may be many of both.
    var values = values(whereMade: false)
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
      let next = items.indices.contains(count) ? items[count] : nil
      guard others.allSatisfy({ $0 == next?.newKey && found[$0] == next?.after?.value }) else {
        continue
      }
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
    if item.newKey != nil { values[item.key] = nil }
    values[item.newKey ?? item.key] = item.after?.value
  }

  /// What the keys hold before the step, or after it.
  private func values(whereMade isMade: Bool) -> [EntryKey: StoredValue] {
    var values: [EntryKey: StoredValue] = [:]
    for item in items { values[item.key] = item.before?.value }
    if isMade { for item in items { make(item, in: &values) } }
    return values
  }
}
