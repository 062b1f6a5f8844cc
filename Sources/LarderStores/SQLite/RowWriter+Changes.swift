import HarmonySQLite
import LarderModel

extension RowWriter {
  /// Makes several changes, in the transaction of the caller.
  ///
  /// - Returns: The entries that were written, as stored.
  func make(_ query: ChangesQuery) throws -> [Entry] {
    let changes = query.changes
    var writer = self
    writer.isImport = isImport || query.areExact
    // A row may name another that comes later; at the end all that are named have to be there.
    if changes.count > 1 { try session.run("PRAGMA defer_foreign_keys = ON") }
    var written: [Entry] = []
    var count = 0
    let areChecked = try checkDeletions(changes)
    // What refers to a row that goes may refer to another one once all is written.
    let deletesLast = try changes.count > 1 && ForeignKey.haveActions(on: layout.name, session)
    let ordered =
      deletesLast
      ? changes.filter { $0.value != nil } + changes.filter { $0.value == nil } : changes
    do {
      for change in ordered {
        try report(count, to: query.scan)
        if let value = change.value {
          written.append(try writer.put(value, WriteRequest(change)))
        } else {
          try delete(change.key, areChecked ? .anything : WriteRequest(change).condition)
        }
        count += 1
      }
    } catch {
      query.scan?.reportRollback()
      throw error
    }
    return written
  }

  /// Says how many changes are made: none where all is only tried.
  private func report(_ count: Int, to scan: Scan?) throws {
    if isTrial { try scan?.reportWaiting() } else { try scan?.reportChanged(count) }
  }

  /// Makes sure that rows that are going to be deleted are what they have to be, where the deletion
  /// of one may change another: a trigger is no reason to keep what was named.
  ///
  /// - Returns: Whether that was looked at, and holds until the transaction ends.
  private func checkDeletions(_ changes: [EntryChange]) throws -> Bool {
    let deletions = changes.filter { $0.value == nil }
    guard changes.count > 1, !deletions.isEmpty,
      try SideEffects(of: layout, session).arePossible
    else { return false }
    for deletion in deletions {
      let current = try reader.read(deletion.key, session)
      guard WriteRequest(deletion).condition.allows(current) else {
        throw StoreError.conflict(current: current)
      }
    }
    return true
  }

  /// Gives entries other keys, in the transaction of the caller.
  ///
  /// - Returns: The entries under their new keys.
  func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) throws -> [Entry] {
    try renames.inOrder().enumerated().map { count, rename in
      try report(count, to: scan)
      let current = try reader.read(rename.entryKey, session)
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      if let taken = try reader.read(rename.newKey, session) {
        throw StoreError.conflict(current: taken)
      }
      return try self.rename(current, to: rename.newKey)
    }
  }

  private func rename(_ entry: Entry, to key: EntryKey) throws -> Entry {
    try checkKey(key)
    try layout.lens?.check(key, inPlaceOf: entry.key)
    let sets = layout.keyNames.map { $0 + " = ?" }
    let values = try layout.values(of: key)
    let old = try layout.values(of: entry.key)
    try session.run(
      "UPDATE\(layout.orAbort) \(layout.target) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(layout.keyCondition)", values + old)
    try checkCount("renamed", entry.key)
    // The column may have made another type of the key, which is looked at below.
    let written = try stored(reader.readAnySpelling(key, session))
    try checkAffinity(written, key, [], over: entry)
    return written
  }
}
