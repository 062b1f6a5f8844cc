/// What the journal of defaults says, replayed.
struct DefaultsTable: Sendable {
  /// The bytes that a record of several entries has at most in a journal without outdated ones.
  ///
  /// A damaged record takes all of them along. Until then changes that were made together are one
  /// record, however large.
  static let recordSize = 65_536

  /// The newest change of each address, removals included.
  private(set) var entries: [DefaultsAddress: DefaultsEntry] = [:]

  /// The number of the newest change.
  private(set) var last: UInt64 = 0

  /// The newest change that the property list on disk certainly holds.
  private(set) var saved: UInt64 = 0

  /// The addresses of all newer changes.
  private(set) var unsaved: Set<DefaultsAddress> = []

  /// Whether a process began to overwrite the property list and has not told that it is done.
  private(set) var isInterrupted = false

  /// The bytes that ``records`` would have, more or less: removals that are saved leave no trace.
  private(set) var cost = 0

  /// The keys of the property list that the journal tells of, those of dictionaries among them.
  var listKeys: Set<StoredKey> { Set(entries.keys.map { $0.root ?? $0.key }) }

  mutating func apply(_ record: DefaultsRecord) {
    switch record {
    case .changes(let changes):
      for (address, entry) in changes {
        var entry = entry
        if let old = entries[address] {
          if isKept(old) { cost -= old.cost(of: address) }
          entry.rivals = entry.rivals.map { $0 + [old.value] + (old.rivals ?? []) }
        }
        if isKept(entry) { cost += entry.cost(of: address) }
        entries[address] = entry
        last = max(last, entry.sequence)
        unsaved.insert(address)
      }
    case .saving: isInterrupted = true
    case .saved(let sequence):
      isInterrupted = false
      let before = cost(of: unsaved)
      saved = max(saved, sequence)
      last = max(last, sequence)
      cost += cost(of: unsaved) - before
      unsaved = unsaved.filter { (entries[$0]?.sequence ?? 0) > saved }
    }
  }

  /// Begins anew with the records of another file.
  mutating func restart(with records: [DefaultsRecord]) {
    var table = DefaultsTable()
    // Numbers must grow, also if somebody has removed the file.
    (table.last, table.saved) = records.isEmpty ? (last, last) : (0, 0)
    for record in records { table.apply(record) }
    for (address, entry) in entries {
      guard let other = table.entries[address], entry.isSameChange(as: other) else { continue }
      table.entries[address]?.isShown = entry.isShown
    }
    self = table
  }

  /// Gives small numbers to all changes, of which only tells what is saved and what is not.
  mutating func renumber() {
    var table = DefaultsTable()
    for (address, entry) in entries {
      var copy = DefaultsEntry(
        value: entry.value, isList: entry.isList, sequence: entry.sequence <= saved ? 1 : 2)
      copy.isShown = entry.isShown
      copy.rivals = entry.rivals
      table.apply(.changes([(address, copy)]))
    }
    table.apply(.saved(1))
    table.unsaved.formUnion(unsaved)
    table.isInterrupted = isInterrupted
    self = table
  }

  /// Notes that the defaults in memory show the newest change of an address.
  mutating func markShown(_ address: DefaultsAddress) {
    entries[address]?.isShown = true
  }

  /// Notes which changes the defaults in memory show, when their numbers do not tell any more.
  ///
  /// - Parameters:
  ///   - sequence: The newest change that the defaults had shown.
  ///   - isThere: Whether the defaults still hold something at an address.
  mutating func recall(
    shownUpTo sequence: UInt64, where isThere: (DefaultsAddress) -> Bool
  ) {
    for (address, entry) in entries where entry.isShown || entry.sequence <= sequence {
      entries[address]?.isShown = entry.value == nil || isThere(address)
    }
  }

  /// Notes that the defaults have lost what they showed, so that it will be shown again.
  mutating func markLost(_ address: DefaultsAddress) {
    entries[address]?.isShown = false
    unsaved.insert(address)
  }

  /// Forgets removals that a journal without outdated records does not tell either.
  mutating func forgetRemovals() {
    for (address, entry) in entries where entry.sequence <= saved && entry.value == nil {
      entries[address] = nil
    }
  }

  /// The records of a journal that says the same, without what is outdated.
  var records: [DefaultsRecord] {
    let isOld = { (entry: DefaultsEntry) in entry.sequence <= saved }
    let kept = entries.filter { isKept($1) }
    return Self.changes(kept.filter { isOld($1) }) + [.saved(saved)]
      + Self.changes(kept.filter { !isOld($1) }) + (isInterrupted ? [.saving] : [])
  }

  /// Whether a journal without outdated records tells of an entry.
  private func isKept(_ entry: DefaultsEntry) -> Bool {
    entry.value != nil || entry.sequence > saved
  }

  private func cost(of addresses: Set<DefaultsAddress>) -> Int {
    addresses.reduce(0) { sum, address in
      guard let entry = entries[address], isKept(entry) else { return sum }
      return sum + entry.cost(of: address)
    }
  }

  /// The records of entries, each of which is small unless it is of one large entry.
  private static func changes(
    _ entries: [DefaultsAddress: DefaultsEntry]
  ) -> [DefaultsRecord] {
    var records: [DefaultsRecord] = []
    var batch: [(DefaultsAddress, DefaultsEntry)] = []
    var size = 0
    for (address, entry) in entries {
      let cost = entry.cost(of: address)
      if !batch.isEmpty, size + cost > recordSize {
        records.append(.changes(batch))
        (batch, size) = ([], 0)
      }
      batch += entry.steps.map { (address, $0) }
      size += cost
    }
    return batch.isEmpty ? records : records + [.changes(batch)]
  }
}
