import Foundation

/// The journal of defaults, and the defaults beside it.
///
/// Not thread-safe; its owner holds a lock.
///
/// The journal has the last word about what was put through it, unless somebody else has changed
/// the defaults since they showed it: that change wins. So each address has three states to
/// compare, the journal's, what the defaults would show of it, and what they do show.
final class DefaultsState {
  /// Property lists of up to so many bytes are saved with each change.
  private static let smallList = 8_192
  /// After so many changes even large ones are saved at once: Foundation's time for setting a
  /// value grows with the number of unsaved ones.
  private static let manyChanges = 1_024
  private static let smallJournal = 65_536

  private let suite: DefaultsSuite
  private let screen: DefaultsScreen
  private var journal: DefaultsJournal
  private(set) var table = DefaultsTable()
  /// The newest change that the defaults in memory show, as those of a file that was read since.
  private var current: UInt64 = 0
  private var listStamp: FileStamp?
  private var isOpen = false

  init(_ suite: DefaultsSuite, _ handle: DefaultsHandle) {
    self.suite = suite
    screen = DefaultsScreen(handle, suite)
    journal = DefaultsJournal(directory: suite.directory, name: suite.journal)
  }

  /// Whether there are changes that the property list on disk does not hold.
  var isUnsaved: Bool { !table.unsaved.isEmpty }

  /// What an address holds; nil if nothing.
  func entry(at address: DefaultsAddress) throws -> DefaultsEntry? {
    try follow()
    let found = compare(address) { screen.value(at: address) }
    guard found == nil, table.entries[address]?.value != nil, screen.stamp != listStamp else {
      return found
    }
    // The defaults may have read their file just while another process was overwriting it.
    try? reload()
    return compare(address) { screen.value(at: address) }
  }

  /// The keys and entries of a root's dictionary, or of those outside, in the order of the keys.
  func entries(
    in root: String?, where isWanted: (String) -> Bool
  ) throws -> [(key: String, entry: DefaultsEntry)] {
    try follow()
    if screen.stamp != listStamp { try? reload() }
    let shown = Dictionary(
      screen.all(in: root, where: isWanted).map { (StoredKey($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first })
    var keys = Set(shown.keys)
    let storedRoot = root.map { StoredKey($0) }
    for address in table.entries.keys where address.root == storedRoot {
      if isWanted(address.key.text) { keys.insert(address.key) }
    }
    return keys.compactMap { key in
      let address = DefaultsAddress(root: root, key: key.text)
      return compare(address) { shown[key] ?? screen.value(at: address) }.map { (key.text, $0) }
    }
    .sorted { $0.key.isOrderedBefore($1.key) }
  }

  /// Changes addresses, all or none of them, and returns when that would survive a loss of power.
  func write(_ changes: [(DefaultsAddress, DefaultsEntry)]) throws {
    guard changes.reduce(0, { $0 + $1.1.cost(of: $1.0) }) < Int(Int32.max) else {
      throw CoreError.IllegalArgument("The values are too large for defaults")
    }
    try Files.createDirectory(suite.directory)
    try suite.lock.whileLocked {
      try catchUp()
      let sequence = table.last + 1
      let changes = changes.filter { isNeeded($0.1, at: $0.0) }.map { address, entry in
        (address, DefaultsEntry(value: entry.value, isList: entry.isList, sequence: sequence))
      }
      guard !changes.isEmpty else { return }
      let isMended = try mend()
      let isSmall = (screen.stamp?.size ?? 0) <= Self.smallList
      let savesNow = isSmall || isMended || table.unsaved.count + changes.count >= Self.manyChanges
      try append([.changes(changes)] + (savesNow ? [.saving] : []), isDurable: true)
      if savesNow { save() } else { show(changes.map(\.0).filter(screen.isQuick)) }
      if journal.size > Self.smallJournal + 2 * table.cost {
        try journal.replace(by: table.records)
        if table.saved <= current { table.forgetRemovals() }
      }
    }
  }

  /// Brings the property list on disk up to date.
  func flush() throws {
    guard isUnsaved else { return }
    try suite.lock.whileLocked {
      try catchUp()
      guard isUnsaved else { return }
      if try !mend() { try append([.saving], isDurable: false) }
      save()
    }
  }

  /// Removing what is not there leaves no trace.
  private func isNeeded(_ entry: DefaultsEntry, at address: DefaultsAddress) -> Bool {
    entry.value != nil || table.entries[address]?.value != nil
      || address.isShown && screen.value(at: address) != nil
  }

  /// Decides between the journal and what the defaults show.
  private func compare(
    _ address: DefaultsAddress, shown: () -> DefaultsValue?
  ) -> DefaultsEntry? {
    guard let entry = table.entries[address] else {
      return shown().map { DefaultsEntry(value: $0) }
    }
    guard address.isShown, entry.isShown || entry.sequence <= current else {
      return entry.value == nil ? nil : entry
    }
    guard let shown = shown() else { return nil }
    let isOurs = entry.value?.isMirrored(by: shown) ?? false
    return isOurs ? entry : DefaultsEntry(value: shown)
  }

  /// Learns what other processes have done.
  private func follow() throws {
    guard !isOpen || journal.isStale else { return }
    try catchUp()
    // Where nothing may be written, the journal can still be read.
    if !isOpen || table.saved > current { try? reload() }
    isOpen = true
  }

  private func catchUp() throws {
    let (records, isNew) = try journal.read()
    if isNew {
      table.restart(with: records)
    } else {
      for record in records { table.apply(record) }
    }
  }

  private func append(_ records: [DefaultsRecord], isDurable: Bool) throws {
    try journal.append(records, isDurable: isDurable)
    for record in records { table.apply(record) }
  }

  private func show(_ addresses: [DefaultsAddress]) {
    screen.show(addresses.map { ($0, table.entries[$0]?.value) })
    for address in addresses { table.markShown(address) }
  }

  /// Lets `UserDefaults` save; the caller holds the lock and has announced it in the journal.
  ///
  /// If that fails, as on a full disk, the values are safe in the journal, and are saved later.
  private func save() {
    var waiting = table.unsaved.filter { table.entries[$0]?.isShown == false }.map { $0 }[...]
    repeat {
      show(Array(waiting.prefix(Self.manyChanges)))
      waiting = waiting.dropFirst(Self.manyChanges)
      guard screen.synchronize() else { return }
    } while !waiting.isEmpty
    try? append([.saved(table.last)], isDurable: false)
    current = table.last
    listStamp = screen.stamp
  }

  /// Makes the defaults in memory those on disk.
  private func reload() throws {
    guard screen.stamp != nil || journal.size > 0 else {
      listStamp = nil
      return
    }
    try suite.lock.whileLocked {
      try catchUp()
      let isMended = try mend()
      // If that fails, what is in memory may be older than what the journal tells of.
      guard isMended || screen.synchronize() else { return }
      current = table.saved
      listStamp = screen.stamp
      guard isMended || !isOpen && isUnsaved else { return }
      if !isMended { try append([.saving], isDurable: false) }
      save()
    }
  }

  /// Finds what is lost if a process was killed while it was overwriting the property list.
  ///
  /// That has to be done before the list is overwritten again, which hides that anything is lost.
  /// Saving is announced, and must follow.
  private func mend() throws -> Bool {
    guard table.isInterrupted || !screen.isWhole else { return false }
    if !table.isInterrupted { try append([.saving], isDurable: false) }
    _ = screen.synchronize()
    for (address, entry) in table.entries
    where entry.value != nil && address.isShown && screen.value(at: address) == nil {
      table.markLost(address)
    }
    return true
  }
}
