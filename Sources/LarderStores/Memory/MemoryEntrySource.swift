import Harmony
import LarderModel
import LarderStoreBase

/// A data source for entries in memory, sorted by key.
///
/// Every future is complete when it is returned. Writes are compared and made under one lock, so
/// that of two writes that expect the same value only one can succeed. The entries are lost when
/// the process ends.
final class MemoryEntrySource: EntrySource {
  private let entries: Locked<[Entry]>
  private let isReadOnly: Bool

  /// Creates a source with entries; the last one takes precedence if a key occurs several times.
  init(_ seed: [Entry], isReadOnly: Bool) {
    var latest: [EntryKey: Entry] = [:]
    for entry in seed { latest[entry.key] = entry }
    entries = Locked(latest.values.sorted { $0.key < $1.key })
    self.isReadOnly = isReadOnly
  }

  func read(_ keys: [EntryKey]) -> Future<[Entry]> {
    let entries = snapshot
    return Future(value: {
      try keys.map { key in
        try Self.entry(key, at: Self.place(of: key, in: entries), in: entries).found(key)
      }
    })
  }

  func answer(_ query: CountQuery) -> Future<Entry> {
    Future(value: { try OrderedPage(snapshot).count(query) })
  }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    Future(value: {
      try query.checkOrder([.types, .expiry])
      return try OrderedPage(snapshot).page(query)
    })
  }

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> {
    write { entries in
      try writes.map { write in
        let entry = Entry(key: write.request.key, value: write.value)
        try Self.replace(entry.key, with: entry, write.request.condition, in: &entries)
        return entry
      }
    }
  }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> {
    write { entries in
      try query.changes.compactMap { change in
        let entry = change.value.map { Entry(key: change.key, value: $0) }
        try Self.replace(change.key, with: entry, WriteRequest(change).condition, in: &entries)
        return entry
      }
    }
  }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> {
    write { entries in
      try renames.inOrder().map { rename in
        let old = Self.entry(
          rename.entryKey, at: Self.place(of: rename.entryKey, in: entries), in: entries)
        guard let old, old.fingerprint == rename.expecting else {
          throw StoreError.conflict(current: old)
        }
        var entry = old
        entry.key = rename.newKey
        try Self.replace(rename.entryKey, with: nil, .anything, in: &entries)
        try Self.replace(rename.newKey, with: entry, .nothing, in: &entries)
        return entry
      }
    }
  }

  func answer(_ request: DeleteRequest) -> Future<Void> {
    write { entries in
      switch request {
      case .one(let key, let condition):
        try Self.replace(key, with: nil, condition, in: &entries)
      case .several(let keys):
        let keys = Set(keys)
        entries.removeAll { keys.contains($0.key) }
      case .prefix(let prefix, let scan):
        let count = entries.count
        entries.removeAll { $0.key.hasPrefix(prefix) }
        scan?.reportDeleted(count - entries.count)
      case .all: entries = []
      }
    }
  }

  /// Changes the entries as a whole, or not at all if the closure throws an error.
  private func write<Value: Sendable>(
    _ body: (inout [Entry]) throws -> Value
  ) -> Future<Value> {
    Future(value: {
      if isReadOnly {
        throw StoreError.openedReadOnly(Messages.memory)
      }
      return try entries.withLock { entries in
        var changed = entries
        let value = try body(&changed)
        entries = changed
        return value
      }
    })
  }

  private static func replace(
    _ key: EntryKey, with entry: Entry?, _ condition: WriteRequest.Condition,
    in entries: inout [Entry]
  ) throws {
    let place = place(of: key, in: entries)
    let current = self.entry(key, at: place, in: entries)
    guard condition.allows(current) else { throw StoreError.conflict(current: current) }
    entries.replaceSubrange(
      place..<(place + (current == nil ? 0 : 1)), with: entry.map { [$0] } ?? [])
  }

  private var snapshot: [Entry] { entries.withLock { $0 } }

  private static func entry(_ key: EntryKey, at place: Int, in entries: [Entry]) -> Entry? {
    entries.indices.contains(place) && entries[place].key == key ? entries[place] : nil
  }

  /// Returns the index of a key, or the index to insert it at.
  private static func place(of key: EntryKey, in entries: [Entry]) -> Int {
    entries.indices.bisect { key <= entries[$0].key }
  }
}
