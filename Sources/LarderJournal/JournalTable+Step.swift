import LarderCore

extension JournalTable {
  /// A step with its entries.
  struct Step: Sendable {
    let record: JournalRecord
    /// The run that is at work on it, or was last.
    var process: String
    /// The entries; the first alone where the store recorded all of several itself.
    var items: [JournalItem]
    /// How many entries there are then; nil where all are listed.
    var count: Int?
    /// What the store recorded of it.
    var storeRecord: [UInt8]?
    /// The entries as the journal has them, which `items` began as.
    let recorded: [JournalItem]

    init(
      record: JournalRecord, process: String = "", items: [JournalItem], count: Int? = nil,
      storeRecord: [UInt8]? = nil
    ) {
      self.record = record
      self.process = process
      self.items = items
      self.count = count
      self.storeRecord = storeRecord
      recorded = items
    }
  }
}

extension JournalTable.Step {
  /// Takes over what the store made of the keys and the values.
  mutating func finish(with written: [Entry]) {
    for place in items.indices { items[place].isDone = true }
    // What was moved was not written, and is known.
    let places = items.indices.filter { items[$0].after != nil && !items[$0].isShifted }
    let written = count == nil ? written : Array(written.prefix(places.count))
    guard written.count == places.count else { return }
    for (place, entry) in zip(places, written) {
      if items[place].isCached {
        items[place].finish(cached: entry)
        continue
      }
      items[place].after = items[place].result(of: entry) ?? items[place].after
      if items[place].newKey == nil {
        items[place].key = entry.key
        items[place].afterForm = entry.form
        items[place].setPrint(entry.ownFingerprint, of: .after)
      } else {
        items[place].newKey = entry.key
      }
    }
  }

  /// Takes over what became of some entries of a cache before something kept the others from it.
  mutating func finish(partly made: [EntryKey: Entry?]) {
    for place in items.indices {
      guard let entry = made[items[place].key] else { continue }
      items[place].isDone = true
      items[place].finish(cached: entry)
    }
  }

  /// Takes over that some entries were taken back or done again, and what the store made of them.
  mutating func finish(_ replayed: [Int], with written: [Entry], isUndo: Bool) {
    for place in replayed { items[place].isDone = !isUndo }
    let places = replayed.filter { (isUndo ? items[$0].before : items[$0].after) != nil }
    guard written.count == places.count else { return }
    for (place, entry) in zip(places, written) {
      guard let mark = items[place].result(of: entry) else { continue }
      // A form that an entry does not show, such as the rowid of a row, stays the one to ask for.
      if isUndo {
        items[place].before = mark
        items[place].beforeForm = entry.form ?? items[place].beforeForm
        items[place].setPrint(items[place].print(of: entry), of: .before)
      } else {
        items[place].after = mark
        items[place].afterForm = entry.form ?? items[place].afterForm
        items[place].setPrint(items[place].print(of: entry), of: .after)
      }
    }
  }
}
