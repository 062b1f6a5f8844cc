import Foundation

/// A domain of this user's defaults, for a program that changes its property list itself.
///
/// Sources of this package keep a journal beside the list, which has the last word about what the
/// list does not hold yet. Who changes the list asks here what that is, takes the lock, and tells
/// the journal what became of it. No journal is made where no source has ever been.
package struct DefaultsDomain: Sendable {
  /// Something that was put through a source, and that the property list does not hold yet.
  package struct Pending {
    /// The key of the dictionary that holds the key; nil for a key of its own.
    package let root: String?
    /// The key.
    package let key: String
    /// What a property list can show of the value; nil if the key was removed.
    package let value: Any?

    fileprivate let address: DefaultsAddress
    fileprivate let entry: DefaultsEntry
  }

  private let suite: DefaultsSuite

  /// Names a domain.
  ///
  /// - Parameter name: The name of the suite, or that of a program for its standard defaults.
  /// - Throws: ``CoreError/IllegalArgument`` if the name is no plain file name, such as `../x`.
  package init(named name: String) throws {
    suite = try DefaultsSuite(named: name)
  }

  /// The path of the property list, where Foundation has it; there may be none yet.
  package var list: String { suite.list }

  /// The path of what the list held before somebody began to overwrite it in place.
  package var copy: String { suite.copy }

  /// Where caches over sources of this package keep until when values count; made by the first that
  /// does.
  ///
  /// A value is called by its key, and one of a dictionary by the key of that, a character zero and
  /// its own key.
  package var times: CacheTimesFile { CacheTimesFile(path: suite.times) }

  /// The path of the journal, where a source has made one.
  package var journal: String? {
    FileStamp(path: journalPath) == nil ? nil : journalPath
  }

  /// Numbers that are others when the journal has changed; none where there is no journal.
  package var state: [Int] {
    guard let stamp = FileStamp(path: journalPath) else { return [] }
    return [Int(bitPattern: stamp.device), Int(bitPattern: stamp.node), stamp.size]
  }

  /// What the list does not hold yet.
  ///
  /// What was recorded by ``settle(holds:)`` is no part of it where somebody has changed the list
  /// since.
  ///
  /// - Parameter holds: What the list holds of a key, or of a key of a dictionary: after a process
  ///   was killed while it saved, what is missing is lost and not removed.
  /// - Returns: The changes, of which each key has one.
  /// - Throws: ``CoreError`` if the journal cannot be read.
  package func pending(
    holds: (_ root: String?, _ key: String) -> Any?
  ) throws -> [Pending] {
    var journal = DefaultsJournal(directory: suite.directory, name: suite.journal)
    return pending(in: try Self.table(&journal), holds: holds)
  }

  /// Does something while no source changes the domain.
  ///
  /// The lock is made also where no source has ever been: one that begins just now would save into
  /// a file that is being replaced. The directory of the list must be there.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for one that does.
  ///   - body: What to do.
  /// - Returns: What the body returns.
  /// - Throws: ``CoreError/Failed`` if there can be no lock, or not in time; what the body throws.
  package func whileLocked<Result>(
    patience: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    return try suite.lock.whileLocked(by: { descriptor, operation in
      while flock(descriptor, operation | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        guard errno == EWOULDBLOCK, ContinuousClock.now < end else { return -1 }
        usleep(.random(in: 100...1_000))
      }
      return 0
    }) {
      try body()
    }
  }

  /// Keeps under another name what is no list any more and is about to be replaced.
  ///
  /// - Throws: ``CoreError/Failed`` if it cannot be kept.
  package func keepDamaged(_ bytes: [UInt8]) throws {
    try suite.keepDamaged(bytes)
  }

  /// Keeps the copy under another name if it alone has something that others have set.
  ///
  /// The caller holds the lock.
  ///
  /// - Parameter keys: The keys that the list holds.
  /// - Throws: ``CoreError`` if the journal cannot be read.
  package func keepCopy(keys: Set<String>) throws {
    let copy = DefaultsCopy(suite, path: suite.copy)
    guard copy.isThere else { return }
    var journal = DefaultsJournal(directory: suite.directory, name: suite.journal)
    let known = try Self.table(&journal).listKeys.union(keys.map { StoredKey($0) })
    copy.keep { known.contains(StoredKey($0)) }
  }

  /// Tells the journal that the list holds everything now, for sources that are open elsewhere.
  ///
  /// The caller holds the lock, and the list is on the disk. What is pending with another value in
  /// the list has been changed there, and is recorded so: the source that put it may still set its
  /// own value in the list. That record counts only against this value, and not against what
  /// somebody sets in the list later.
  ///
  /// - Parameter holds: What the list holds now of a key, or of a key of a dictionary.
  /// - Throws: ``CoreError`` if the journal cannot be written.
  package func settle(holds: (_ root: String?, _ key: String) -> Any?) throws {
    unlink(suite.copy)
    guard journal != nil else { return }
    var journal = DefaultsJournal(directory: suite.directory, name: suite.journal)
    let table = try Self.table(&journal)
    let pending = pending(in: table, holds: holds)
    var changes: [(DefaultsAddress, DefaultsEntry)] = []
    for change in pending {
      let object = holds(change.root, change.key)
      let held = object.flatMap { DefaultsValue(any: $0) }
      // What the journal cannot hold must not become a removal.
      guard (object == nil) == (held == nil),
        !DefaultsEntry.isMirrored(change.entry.value, by: held)
      else { continue }
      var entry = DefaultsEntry(value: held, sequence: table.last + 2)
      entry.rivals = []
      changes.append((change.address, entry))
    }
    var records = [DefaultsRecord.saved(table.last + 1)]
    if !changes.isEmpty { records.append(.changes(changes)) }
    try journal.append(records, isDurable: !changes.isEmpty)
  }

  /// Where the journal is or would be.
  package var journalPath: String { "\(suite.directory)/\(suite.journal)" }

  private static func table(_ journal: inout DefaultsJournal) throws -> DefaultsTable {
    var table = DefaultsTable()
    for record in try journal.read().records { table.apply(record) }
    return table
  }

  private func pending(
    in table: DefaultsTable, holds: (String?, String) -> Any?
  ) -> [Pending] {
    var addresses = table.unsaved
    if table.isInterrupted {
      for (address, entry) in table.entries
      where entry.value != nil && holds(address.root?.text, address.key.text) == nil {
        addresses.insert(address)
      }
    }
    return addresses.compactMap { address in
      // What a list cannot hold beside the rest is in the journal for good.
      guard address.isShown, let entry = table.entries[address] else { return nil }
      if entry.rivals != nil {
        let held = holds(address.root?.text, address.key.text)
        // What is missing after a process was killed is lost, and nobody has removed it.
        let isLost = held == nil && table.isInterrupted
        let isOvertaken = entry.isOvertaken(by: held.flatMap { DefaultsValue(any: $0) })
        guard isLost || !isOvertaken else { return nil }
      }
      return Pending(
        root: address.root?.text, key: address.key.text, value: entry.value?.mirrored,
        address: address, entry: entry)
    }
  }
}

extension DefaultsSuite {
  /// The files of the defaults of a name.
  ///
  /// - Parameter name: The name of the suite, or that of a program for its standard defaults.
  /// - Throws: ``CoreError/IllegalArgument`` if the name is no plain file name.
  init(named name: String) throws {
    // A suite is made only to find its files by the rules that are there already.
    guard let defaults = UserDefaults(suiteName: name) else {
      throw CoreError.IllegalArgument("\(name.debugDescription) is the name of no suite")
    }
    self = try DefaultsSuite(defaults)
  }
}
