import Foundation
import LarderModel

/// A recorded change with its items.
struct RecordedChange: Sendable {
  var record: JournalRecord
  /// The name of the run that last worked on the change.
  var process = ""
  /// The items; only the first if the store recorded the entries itself.
  var items: [JournalItem]
  /// The number of entries if the store recorded them, or nil if `items` is complete.
  var count: Int?
  /// The store's own record of the change.
  var storeRecord: [UInt8]?
  /// The items as stored in the journal.
  var recorded: [JournalItem] = []

  var number: Int64 { record.step.number }
}

extension RecordedChange {
  /// Creates a change that is about to be made; it gets its number when it is recorded.
  init(_ action: ChangeSummary.Action, _ items: [JournalItem], at location: StoreLocation) {
    let step = ChangeSummary(
      number: 0, action: action, count: items.count, key: items.first?.key ?? .null,
      newKey: items.first?.newKey, isUndone: false)
    record = JournalRecord(step: step, time: .now, location: location, state: .running)
    self.items = items
  }

  /// Marks all items as done and updates them with the keys and values that the store wrote.
  mutating func finish(with written: [Entry]) {
    // Shifted elements were not written, and their state is known.
    let places = items.indices.filter { !items[$0].isShifted }
    for place in items.indices { items[place].isDone = true }
    finish(
      places, with: count == nil ? written : Array(written.prefix(places.count)), isUndo: false)
  }

  /// Marks some items as undone or redone and updates them with what the store wrote.
  mutating func finish(_ replayed: [Int], with written: [Entry], isUndo: Bool) {
    for place in replayed { items[place].isDone = !isUndo }
    let places = replayed.filter { items[$0][after: !isUndo] != nil }
    guard written.count == places.count else { return }
    for (place, entry) in zip(places, written) { items[place].take(entry, after: !isUndo) }
  }

  /// Marks the cache entries as done that were processed before a failure.
  mutating func finish(partly made: [EntryKey: Entry?]) {
    for place in items.indices {
      let key = items[place].key
      guard let entry = made[key] else { continue }
      items[place].isDone = true
      items[place].take(entry ?? Entry(key: key), after: true)
    }
  }
}

// MARK: - Settling an interrupted change

extension RecordedChange {
  /// Determines from the store's current state which items are done, and records the fingerprints
  /// of those whose state turns out to have changed.
  ///
  /// The fingerprints of the others are not updated: another program may have changed the spelling
  /// since.
  ///
  /// - Parameters:
  ///   - found: The current state of the entries.
  ///   - isAtomic: Whether the store makes all changes or none.
  /// - Returns: Whether all could be determined; the other items remain unchanged.
  mutating func settle(_ found: [EntryKey: JournalItem.Side], isAtomic: Bool) -> Bool {
    let wereDone = items.map(\.isDone)
    let values = found.mapValues(\.value)
    let isDecided =
      isAtomic ? settleWhole(found) : isRename ? settleInOrder(values) : settleEach(values)
    for (place, wasDone) in wereDone.enumerated() {
      let (item, isDone) = (items[place], items[place].isDone)
      guard isDone != wasDone, item.newKey == nil, var side = item[after: isDone],
        let now = found[item.key], now.value == side.value
      else { continue }
      (side.print, side.isKnown) = (now.print, true)
      items[place][after: isDone] = side
    }
    return isDecided
  }

  private var isRename: Bool { items.contains { $0.newKey != nil } }

  /// Determines for each item whether it is done, in a store that makes one change after the other.
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
    // A value that a program has cached again says nothing about other entries, and each is
    // compared again.
    return isDecided || record.step.action.isOfCache
  }

  /// Determines whether all changes were made, or none.
  ///
  /// Changes by other programs are ignored: it suffices that one of the keys whose values differ
  /// between the two states matches one state, and no key matches the other.
  private mutating func settleWhole(_ found: [EntryKey: JournalItem.Side]) -> Bool {
    let others = keysOfOthers(found)
    let (unmade, made) = (values(whereMade: false), values(whereMade: true))
    func fits(_ state: [EntryKey: StoredValue]) -> Bool {
      keys.contains {
        unmade[$0] != made[$0] && found[$0]?.value == state[$0] && !others.contains($0)
      }
    }
    let isMade = fits(made)
    guard isMade != fits(unmade) else {
      return keys.allSatisfy { unmade[$0] == found[$0]?.value && made[$0] == found[$0]?.value }
    }
    for place in items.indices { items[place].isDone = isMade }
    return true
  }

  /// Returns the keys whose values match the state that the change is not known to be in, but with
  /// a fingerprint that neither the change nor its replay produces: another program wrote them.
  ///
  /// A replay writes either the original bytes or the value in its default spelling.
  private func keysOfOthers(_ found: [EntryKey: JournalItem.Side]) -> Set<EntryKey> {
    let others = items.filter { item in
      guard item.newKey == nil, item.subject == .value, let side = item[after: !item.isDone],
        side.isKnown, found[item.key]?.value == side.value
      else { return false }
      let usual = side.form.map { Fingerprint(of: side.value, spelled: nil, form: $0) }
      return ![side.print, usual].contains(found[item.key]?.print)
    }
    return Set(others.map(\.key))
  }

  /// Determines how many of the changes, in order, explain the store's current state.
  private mutating func settleInOrder(_ found: [EntryKey: StoredValue]) -> Bool {
    // Consecutive states differ only in the keys of one change, so compare incrementally: there may
    // be many changes and keys.
    var values = values(whereMade: false)
    var others = keys.filter { found[$0] != values[$0] }
    for count in 0...items.count {
      if count > 0 {
        let item = items[count - 1]
        make(item, in: &values)
        for key in item.keys {
          if found[key] == values[key] { others.remove(key) } else { others.insert(key) }
        }
      }
      // A killed process may have linked the file to its new name without unlinking the old one.
      let next = items.indices.contains(count) ? items[count] : nil
      guard others.allSatisfy({ $0 == next?.newKey && found[$0] == next?.after?.value }) else {
        continue
      }
      for place in items.indices { items[place].isDone = place < count }
      return true
    }
    return false
  }

  /// All old and new keys of the change.
  private var keys: Set<EntryKey> { Set(items.flatMap(\.keys)) }

  private func make(_ item: JournalItem, in values: inout [EntryKey: StoredValue]) {
    if item.newKey != nil { values[item.key] = nil }
    values[item.newKey ?? item.key] = item.after?.value
  }

  /// Returns the values of all keys before the change, or after it.
  private func values(whereMade isMade: Bool) -> [EntryKey: StoredValue] {
    var values: [EntryKey: StoredValue] = [:]
    for item in items { values[item.key] = item.before?.value }
    if isMade { for item in items { make(item, in: &values) } }
    return values
  }
}
