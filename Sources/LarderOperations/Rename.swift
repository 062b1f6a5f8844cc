import LarderDocuments
package import LarderModel
import Harmony

/// Gives entries other keys in one change, each only if it is what was read and its new key is free.
package struct Rename: Sendable {
  /// An entry, and the key that it gets.
  package struct Item: Sendable, Equatable {
    package var key: EntryKey
    package var newKey: EntryKey
    /// What the store has to hold, where that is known.
    package var expecting: Fingerprint?

    package init(key: EntryKey, newKey: EntryKey, expecting: Fingerprint? = nil) {
      self.key = key
      self.newKey = newKey
      self.expecting = expecting
    }
  }

  /// The outcome of a rename that changed nothing.
  package static let nothing = "nothing was renamed"

  private let store: Store

  /// Creates the rename of entries of a store.
  package init(in store: Store) {
    self.store = store
  }

  /// The renames of all entries whose keys start with a text.
  ///
  /// - Parameters:
  ///   - old: The start of the keys.
  ///   - new: The start of the new keys.
  ///   - read: Called with the number of entries of each page that was read.
  /// - Returns: The renames.
  /// - Throws: ``StoreError`` where one of them cannot be read.
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

  /// The renames of some entries, without those whose keys stay.
  ///
  /// - Parameters:
  ///   - items: The entries, and the keys that they get.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The renames.
  /// - Throws: ``StoreError`` where one of them is not what is expected, or cannot be read.
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
    throw .notSupported(
      "\(entry.key.spoken) cannot be read, and so not be compared with what it is when it is "
        + "renamed; \(Self.nothing)")
  }

  /// Makes the renames.
  ///
  /// - Parameters:
  ///   - renames: The renames.
  ///   - areNames: Whether new keys are names, also where they look like paths in a document.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: The entries under their new keys.
  /// - Throws: ``OperationFailure``, whose key is taken where there is an entry under a new one.
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

  /// Finds out whether the renames could be made, and makes none.
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
      // What is none of the entries to rename is in the way of one.
      because: isNew || !isOld
        ? "\(current.key.notation(store.keyStyle)) exists already" : nil, outcome: outcome)
  }
}
