import LarderDocuments
package import LarderModel
import Harmony

/// Renames entries in one change, each only if it is unchanged and its new key does not exist.
package struct Rename: Sendable {
  /// An entry and its new key.
  package struct Item: Sendable, Equatable {
    package var key: EntryKey
    package var newKey: EntryKey
    /// The expected fingerprint of the entry, if known.
    package var expecting: Fingerprint?

    package init(key: EntryKey, newKey: EntryKey, expecting: Fingerprint? = nil) {
      self.key = key
      self.newKey = newKey
      self.expecting = expecting
    }
  }

  private let store: Store

  /// Creates a rename of entries in a store.
  package init(in store: Store) {
    self.store = store
  }

  /// Returns the renames of all entries whose keys have a prefix.
  ///
  /// - Parameters:
  ///   - old: The prefix of the keys.
  ///   - new: The prefix of the new keys.
  ///   - read: Called with the number of entries of each page.
  /// - Returns: The renames.
  /// - Throws: ``StoreError`` if an entry cannot be read.
  package func renames(
    prefix old: String, to new: String, _ read: (Int) -> Void
  ) async throws -> [RenameQuery] {
    var renames: [RenameQuery] = []
    let query = EntryPageQuery(prefix: old, limit: PageLimit.maximum, detail: .values)
    for try await page in EntryPages(of: store.source, query) {
      for entry in page {
        let fingerprint = try fingerprint(of: entry)
        guard let key = entry.key.replacing(prefix: old, with: new, style: store.keyStyle)
        else { continue }
        renames.append(RenameQuery(entry.key, to: key, expecting: fingerprint))
      }
      read(page.count)
    }
    return renames
  }

  /// Returns the renames of some entries, without those whose keys stay the same.
  ///
  /// - Parameters:
  ///   - items: The entries and their new keys.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The renames.
  /// - Throws: ``StoreError`` if an entry has changed or cannot be read.
  package func renames(of items: [Item], _ scan: Scan) async throws -> [RenameQuery] {
    var renames: [RenameQuery] = []
    try await store.source.forEachEntry(items.map(\.key)) { index, entry in
      try scan.reportRead(index + 1)
      let item = items[index]
      guard let entry else { throw StoreError.conflict(current: nil) }
      let fingerprint = try fingerprint(of: entry)
      guard fingerprint == item.expecting ?? fingerprint else {
        throw StoreError.conflict(current: entry)
      }
      guard item.newKey != item.key else { return }
      renames.append(RenameQuery(entry.key, to: item.newKey, expecting: fingerprint))
    }
    return renames
  }

  private func fingerprint(of entry: Entry) throws(StoreError) -> Fingerprint {
    if let fingerprint = entry.fingerprint { return fingerprint }
    if entry.key.isOfFolder { throw .closedFolder(entry.key, "renamed") }
    throw .notRenamable(entry.key)
  }

  /// Commits the renames.
  ///
  /// - Parameters:
  ///   - renames: The renames.
  ///   - areNames: Whether to take new keys literally, even if they look like key paths in a
  ///     document.
  ///   - scan: The scan that reports progress and can stop the operation.
  /// - Returns: The entries under their new keys.
  /// - Throws: ``OperationFailure``, with ``OperationFailure/isTaken`` set if a new key already
  ///   exists.
  package func run(
    _ renames: [RenameQuery], areNames: Bool = true, _ scan: Scan
  ) async throws -> [Entry] {
    let exact = exact(renames, areNames)
    do {
      return try await store.source.putAll([], in: RenamesQuery(exact, scan: scan)).get()
    } catch {
      throw failure(error, renames, scan)
    }
  }

  /// Checks whether the renames would succeed, without writing.
  ///
  /// - Throws: ``OperationFailure`` as for the renames themselves, as far as the store can tell.
  package func tryOut(_ renames: [RenameQuery], areNames: Bool = true) async throws {
    let renames = renames.filter { $0.entryKey != $0.newKey }
    guard !renames.isEmpty, store.capabilities.contains(.writable) else { return }
    do {
      let exact = exact(renames, areNames)
      if let dryRun = store.dryRun {
        _ = try await dryRun.entries(after: .renames(RenamesQuery(exact)))
      } else {
        let leaving = Set(exact.map(\.entryKey))
        try await store.source.forEachEntry(exact.map(\.newKey)) { _, taken in
          if let taken, !leaving.contains(taken.key) { throw StoreError.conflict(current: taken) }
        }
      }
    } catch {
      throw failure(error, renames, Scan())
    }
  }

  private func exact(_ renames: [RenameQuery], _ areNames: Bool) -> [RenameQuery] {
    guard areNames, store.kind.keysArePaths else { return renames }
    var exact = renames
    for index in exact.indices { exact[index].newKey = exact[index].newKey.exactPath }
    return exact
  }

  private func failure(
    _ error: any Error, _ renames: [RenameQuery], _ scan: Scan
  ) -> OperationFailure {
    let outcome = OperationFailure.outcome(store.changesLeft(by: scan), "renamed")
    guard case .conflict(let current?) = StoreError(error) else {
      return OperationFailure(error, outcome: outcome)
    }
    let isOld = renames.contains { $0.entryKey == current.key }
    let isNew = renames.contains { $0.newKey == current.key }
    return OperationFailure(
      error,
      // A conflicting entry that is not being renamed occupies a new key.
      because: isNew || !isOld
        ? Messages.exists(current.key.notation(store.keyStyle)) : nil, outcome: outcome)
  }
}
