import Harmony
import LarderModel
import LarderStores
import Synchronization

/// Finds the change that made a store refuse several changes together.
struct ImportSearch {
  private let location: OpenedLocation
  private let arguments: Arguments

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    self.arguments = arguments
  }

  /// Returns the key of the entry that caused an error.
  ///
  /// The result is nil if no single entry is at fault, or if it cannot be determined.
  func key(_ error: any Error, of changes: [EntryChange]) async -> EntryKey? {
    switch StoreError(error) {
    case .conflict(let current): return current?.key
    case .failed, .notSupported: return await refused(of: changes)?.key
    // Only with files that are written one by one can a single entry lack permissions.
    case .readOnly: return location.store.kind.isAtomic ? nil : await firstMissing(of: changes)?.key
    // These errors concern the whole store or the journal.
    case .busy, .cannotOpen, .corrupt, .notFound, .journal, .changedSince, .notDurable,
      .unknownOutcome, .cancelled:
      return nil
    }
  }

  private func refused(of changes: [EntryChange]) async -> EntryChange? {
    if changes.count == 1 { return changes.first }
    if location.store.kind.keysArePaths { return await bisect(changes) }
    return location.store.kind.isAtomic ? await rehearse(changes) : await firstMissing(of: changes)
  }

  /// Returns the change with which the store begins to refuse those up to it, in dry runs of ever
  /// fewer changes.
  private func bisect(_ changes: [EntryChange]) async -> EntryChange? {
    guard let dryRun = location.store.dryRun else { return nil }
    func isRefused(_ count: Int) async -> Bool {
      let query = ChangesQuery(Array(changes.prefix(count)))
      return (try? await dryRun.entries(after: .changes(query))) == nil
    }
    guard await isRefused(changes.count) else { return nil }
    var (good, bad) = (0, changes.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if await isRefused(middle) { bad = middle } else { good = middle }
    }
    return changes[good]
  }

  /// Returns the first change that was not applied.
  private func firstMissing(of changes: [EntryChange]) async -> EntryChange? {
    for change in changes {
      let entry = try? await location.store.source.entry(change.key)
      guard let value = change.value, entry?.holds(location.store.asKept(value)) == true else {
        return change
      }
    }
    return nil
  }

  /// Repeats the changes one at a time, in a transaction that is always rolled back.
  private func rehearse(_ changes: [EntryChange]) async -> EntryChange? {
    struct Over: Error {}
    let next = Mutex(0)
    let query = ImportQuery(replaces: true) {
      let place = next.withLock { place in
        defer { place += 1 }
        return place
      }
      // Ending the stream normally would commit.
      guard changes.indices.contains(place), let value = changes[place].value else { throw Over() }
      return [Entry(key: changes[place].key, value: value, form: changes[place].form)]
    }
    do {
      // Nothing is committed, so no journal is needed.
      let open = try await Stores.open(try arguments.location(), options: arguments.openOptions)
      let store = try await open.store(open.location.collection)
      _ = try await store.source.put(nil, in: query).getCancelling()
    } catch is Over {
      return nil
    } catch {
      let place = next.withLock { $0 } - 1
      return changes.indices.contains(place) ? changes[place] : nil
    }
    return nil
  }
}
