import Harmony
import LarderModel
import LarderStores
import Synchronization

/// Finds out which of several changes, that were made together, is the one that a store refused.
struct ImportSearch {
  private let location: OpenedLocation
  private let arguments: Arguments

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    self.arguments = arguments
  }

  /// The key of the entry that an error is due to; nil where that cannot be told, as it may be due
  /// to all of them, or to none.
  func key(_ error: any Error, of changes: [EntryChange]) async -> EntryKey? {
    switch StoreError(error) {
    case .conflict(let current): return current?.key
    case .failed(let sentence), .notSupported(let sentence):
      return await refused(sentence, of: changes)?.key
    // Permissions are those of one file only where files are written one after the other.
    case .readOnly: return location.store.kind.isAtomic ? nil : await firstMissing(of: changes)?.key
    // No entry locks a store, or is at fault in the journal.
    case .busy, .cannotOpen, .corrupt, .notFound, .journal, .changedSince, .notDurable,
      .cancelled:
      return nil
    }
  }

  private func refused(_ sentence: String, of changes: [EntryChange]) async -> EntryChange? {
    if changes.count == 1 { return changes.first }
    if location.store.kind.keysArePaths { return named(in: sentence, of: changes) }
    return location.store.kind.isAtomic ? await rehearse(changes) : await firstMissing(of: changes)
  }

  /// The only change whose key a sentence begins with, as those about documents do.
  private func named(in sentence: String, of changes: [EntryChange]) -> EntryChange? {
    let named = changes.filter {
      sentence.hasPrefix("\($0.key.spoken) of \(location.store.location.path) ")
    }
    return named.count == 1 ? named.first : nil
  }

  /// The first change that was not made, where those before it were.
  private func firstMissing(of changes: [EntryChange]) async -> EntryChange? {
    for change in changes {
      let entry = try? await location.store.source.entry(change.key)
      guard let value = change.value, entry?.holds(location.store.asKept(value)) == true else {
        return change
      }
    }
    return nil
  }

  /// Makes the changes again one by one, in a transaction that is never committed.
  private func rehearse(_ changes: [EntryChange]) async -> EntryChange? {
    struct Over: Error {}
    let next = Mutex(0)
    let query = ImportQuery(replaces: true) {
      let place = next.withLock { place in
        defer { place += 1 }
        return place
      }
      // A stream that ended would be committed.
      guard changes.indices.contains(place), let value = changes[place].value else { throw Over() }
      return [Entry(key: changes[place].key, value: value, form: changes[place].form)]
    }
    do {
      // Nothing is going to be written, so nothing is recorded.
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
