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
  /// The newest change that the defaults in memory show for certain: what `UserDefaults` saves it
  /// merges with its file before, and a file that it has never read is read.
  private var merged: UInt64 = 0
  private var hasRead = false
  /// The property list when it was last looked at.
  private var listStamp: FileStamp?
  /// Whether the journal tells of more than the defaults in memory are known to show.
  private var isBehind = true

  /// Makes the state of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - handle: Its defaults.
  ///   - pause: What lets others write for a moment.
  init(
    _ suite: DefaultsSuite, _ handle: DefaultsHandle,
    pause: @escaping () -> Void = DefaultsList.pause
  ) {
    self.suite = suite
    screen = DefaultsScreen(handle, suite, pause: pause)
    journal = DefaultsJournal(directory: suite.directory, name: suite.journal)
  }

  /// Whether there are changes that the property list on disk does not hold.
  var isUnsaved: Bool { !table.unsaved.isEmpty }

  /// What an address holds; nil if nothing.
  ///
  /// - Throws: ``CoreError/Failed`` if that cannot be told, as the property list cannot be read.
  func entry(at address: DefaultsAddress) throws -> DefaultsEntry? {
    try follow()
    if let found = compare(address, shown: { screen.value(at: address) }) { return found }
    // What the journal has removed, and has yet to show or save, cannot be anywhere else.
    if let entry = table.entries[address],
      !isShown(entry, at: address) || entry.value == nil && table.unsaved.contains(address)
    {
      return nil
    }
    // The defaults may have read their file just while another process was overwriting it.
    guard let stamp = screen.stamp else { return nil }
    if stamp != listStamp { try reload() }
    return compare(address) { screen.value(at: address) }
      ?? overlooked(among: [address])[address]
  }

  /// The keys and entries of a root's dictionary, or of those outside, in the order of the keys.
  func entries(
    in root: String?, where isWanted: (String) -> Bool
  ) throws -> [(key: String, entry: DefaultsEntry)] {
    try follow()
    if screen.stamp != listStamp { try reload() }
    let shown = Dictionary(
      screen.all(in: root, where: isWanted).map { (StoredKey($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first })
    var keys = Set(shown.keys)
    let storedRoot = root.map { StoredKey($0) }
    let known = table.entries.keys.filter { $0.root == storedRoot && isWanted($0.key.text) }
    keys.formUnion(known.map(\.key))
    let overlooked = overlooked(among: known)
    return keys.compactMap { key in
      let address = DefaultsAddress(root: root, key: key.text)
      let entry = compare(address) { shown[key] ?? screen.value(at: address) }
      return (entry ?? overlooked[address]).map { (key.text, $0) }
    }
    .sorted { $0.key.isOrderedBefore($1.key) }
  }

  /// Changes addresses, all or none of them, and returns when that would survive a loss of power.
  ///
  /// - Throws: ``CoreError/Failed`` also if the key of a dictionary holds something else.
  func write(_ changes: [(DefaultsAddress, DefaultsEntry)]) throws {
    guard changes.reduce(0, { $0 + $1.1.cost(of: $1.0) }) < Int(Int32.max) else {
      throw CoreError.IllegalArgument("The values are too large for defaults")
    }
    try Files.createDirectory(suite.directory)
    try suite.lock.whileLocked {
      try catchUp()
      if screen.stamp != listStamp {
        // A dictionary is written as a whole, so what others have put into it has to be known.
        if changes.contains(where: { $0.0.root != nil }) {
          try learn(isLocked: true)
        } else if listStamp == nil, !isSmall {
          try? learn(isLocked: true)
        }
      }
      let roots = Set(changes.compactMap { $1.value == nil ? nil : $0.root })
      for root in roots { try screen.check(root) }
      if table.last >= DefaultsRecord.greatestSequence { try renumber() }
      let sequence = table.last + 1
      let changes = changes.filter { isNeeded($0.1, at: $0.0) }.map { address, entry in
        (address, DefaultsEntry(value: entry.value, isList: entry.isList, sequence: sequence))
      }
      guard !changes.isEmpty else { return }
      let isMended = try mend()
      let savesNow = isSmall || isMended || table.unsaved.count + changes.count >= Self.manyChanges
      try append([.changes(changes)] + (savesNow ? [.saving] : []), isDurable: true)
      if savesNow {
        save()
      } else if screen.stamp == listStamp {
        // A dictionary is shown when it is saved, as others may put something into it until then;
        // and so is all else where others have changed the file, as it must be read before.
        show(changes.map(\.0).filter { $0.root == nil })
      }
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

  /// Whether the property list is saved with each change.
  private var isSmall: Bool { (screen.stamp?.size ?? 0) <= Self.smallList }

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
    guard isShown(entry, at: address) else {
      if let shown = overtaking(entry, at: address, shown) { return DefaultsEntry(value: shown) }
      return entry.value == nil ? nil : entry
    }
    guard let shown = shown() else { return nil }
    let isOurs = entry.value?.isMirrored(by: shown) ?? false
    return isOurs ? entry : DefaultsEntry(value: shown)
  }

  /// What the defaults show that was set after an entry was recorded; nil if nothing was.
  private func overtaking(
    _ entry: DefaultsEntry, at address: DefaultsAddress, _ shown: () -> DefaultsValue?
  ) -> DefaultsValue? {
    guard entry.rivals != nil, address.isShown, let shown = shown() else { return nil }
    return entry.isOvertaken(by: shown) ? shown : nil
  }

  /// Whether the defaults in memory have shown a change, so that they have the last word.
  private func isShown(_ entry: DefaultsEntry, at address: DefaultsAddress) -> Bool {
    address.isShown && (entry.isShown || entry.sequence <= current)
  }

  /// What others like us have saved and the defaults in memory lack.
  ///
  /// `UserDefaults` reads its file again only if that is newer than the last reading by the clock of
  /// the file system, which goes in steps of milliseconds. What was saved in the same step it finds
  /// the next time that it has something to save itself.
  private func overlooked(
    among addresses: some Sequence<DefaultsAddress>
  ) -> [DefaultsAddress: DefaultsEntry] {
    guard table.last > merged else { return [:] }
    var missing: [DefaultsAddress: DefaultsEntry] = [:]
    for address in addresses {
      guard let entry = table.entries[address], entry.value != nil, entry.sequence > merged,
        !entry.isShown, isShown(entry, at: address), screen.value(at: address) == nil
      else { continue }
      missing[address] = entry
    }
    return missing.isEmpty ? [:] : screen.onDisk(missing)
  }

  /// Learns what other processes have done.
  private func follow() throws {
    guard isBehind || journal.isStale else { return }
    try catchUp()
    // Where the property list cannot be read, the journal still can.
    if isBehind { try? reload() }
  }

  private func catchUp() throws {
    let (records, isNew) = try journal.read()
    if isNew {
      table.restart(with: records)
      // Its numbers may have begun anew, so that they tell nothing of what is shown.
      current = 0
      merged = min(merged, table.saved)
      isBehind = true
    } else {
      for record in records { table.apply(record) }
    }
    if table.saved > current { isBehind = true }
  }

  /// Begins anew with small numbers.
  private func renumber() throws {
    var renewed = table
    renewed.recall(shownUpTo: current) { _ in true }
    renewed.renumber()
    try journal.replace(by: renewed.records)
    (table, current, merged) = (renewed, 0, 0)
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
    var waiting = table.unsaved.filter { address in
      guard let entry = table.entries[address], !entry.isShown else { return false }
      return overtaking(entry, at: address) { screen.value(at: address) } == nil
    }
    // What was shown here and is to be saved, and others have changed since.
    waiting.formUnion(screen.dirty.filter { table.entries[$0]?.isShown != true })
    // Foundation saves nothing where it takes its memory for what is in the file.
    if !waiting.isEmpty, screen.stamp != listStamp { guard screen.synchronize() else { return } }
    // A dictionary is saved as a whole, so what others have put into it must not be missing.
    let roots = Set(waiting.compactMap(\.root))
    if !roots.isEmpty {
      let others = table.entries.keys.filter { $0.root.map(roots.contains) ?? false }
      waiting.formUnion(overlooked(among: others).keys)
    }
    var rest = Array(waiting)[...]
    repeat {
      show(Array(rest.prefix(Self.manyChanges)))
      rest = rest.dropFirst(Self.manyChanges)
      guard screen.synchronize() else { return }
    } while !rest.isEmpty
    try? append([.saved(table.last)], isDurable: false)
    (current, merged) = (table.last, table.last)
    isBehind = false
    listStamp = screen.stamp
  }

  /// Makes the defaults in memory those on disk, where nothing is changed.
  private func reload() throws {
    isBehind = false
    guard screen.stamp != nil || journal.size > 0 else {
      listStamp = nil
      return
    }
    // Without a journal nobody is saving who would hold the lock, and where nothing may be written
    // there is none.
    var isLocked = false
    do {
      guard journal.size > 0 else { return try learn(isLocked: false) }
      try suite.lock.whileLocked {
        isLocked = true
        try catchUp()
        try learn(isLocked: true)
      }
    } catch  where !isLocked && journal.size > 0 {
      try learn(isLocked: false)
    }
  }

  /// Reads the property list; the caller holds the lock if it can and there is a journal.
  ///
  /// - Throws: ``CoreError/Failed`` if it cannot be read.
  private func learn(isLocked: Bool) throws {
    isBehind = false
    var stamp = screen.stamp
    let known = table.isInterrupted ? table.listKeys : nil
    let refreshment = try screen.refresh(
      isRescued: known.map { known in { !known.contains(StoredKey($0)) } })
    var isWhole = refreshment == .done
    if refreshment == .careless {
      isWhole = saveBeside(isLocked: isLocked)
      // Where it could not be saved, as on a full disk, it is not tried again each time.
      stamp = screen.stamp
    }
    // Values that have to be saved before hide the file, which is looked at again then.
    guard !screen.isDirty else { return }
    if isWhole && !hasRead { (merged, hasRead) = (table.saved, true) }
    if isWhole && !table.isInterrupted {
      current = table.saved
    } else {
      // What is lost is in the journal, and will be in the list again after the next change.
      table.recall(shownUpTo: isWhole ? table.saved : current) { screen.value(at: $0) != nil }
      current = 0
    }
    listStamp = isWhole ? screen.stamp : stamp
  }

  /// Saves what the program has set beside its sources, as `UserDefaults` does when it is read anew.
  ///
  /// It does so without care, so this is announced, and others wait. A journal is begun if there is
  /// none.
  ///
  /// - Parameter isLocked: Whether the caller holds the lock.
  /// - Returns: Whether the defaults in memory are those on disk now.
  private func saveBeside(isLocked: Bool) -> Bool {
    do {
      guard isLocked else {
        return try suite.lock.whileLocked {
          try catchUp()
          return try announceAndSave()
        }
      }
      return try announceAndSave()
    } catch {
      return false
    }
  }

  private func announceAndSave() throws -> Bool {
    if table.isInterrupted {
      // What is lost must be saved before others take it for removed.
      if try mend() { save() }
      return !table.isInterrupted
    }
    // What somebody is cutting off stays as it is until something is written.
    guard !screen.isDamaged else { return false }
    try append([.saving], isDurable: false)
    guard screen.synchronize() else { return false }
    try append([.saved(table.saved)], isDurable: false)
    return true
  }

  /// Finds what is lost if a process was killed while it was overwriting the property list.
  ///
  /// That has to be done before the list is overwritten again, which hides that anything is lost.
  /// Saving is announced, and must follow.
  private func mend() throws -> Bool {
    let isInterrupted = table.isInterrupted
    guard isInterrupted || screen.isDamaged else { return false }
    if !isInterrupted { try append([.saving], isDurable: false) }
    let known = table.listKeys
    screen.keepCopy { known.contains(StoredKey($0)) }
    // What was shown here and others have changed since is about to be saved as it was.
    let overtaken = screen.dirty.filter { table.entries[$0]?.isShown == false }
    _ = screen.synchronize(isInterrupted: isInterrupted)
    for address in overtaken { table.markLost(address) }
    for (address, entry) in table.entries
    where entry.value != nil && address.isShown && screen.value(at: address) == nil {
      table.markLost(address)
    }
    return true
  }
}
