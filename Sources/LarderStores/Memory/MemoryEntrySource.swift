import Harmony
import LarderModel

/// A data source for entries in memory, sorted by key.
///
/// Every future is complete when it is returned. Writes are compared and made under one lock, so
/// that of two writes that expect the same value only one can succeed. The entries are lost when
/// the process ends.
final class MemoryEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
  private let entries: Locked<[Entry]>
  private let isReadOnly: Bool

  /// Creates a source with entries; the last one takes precedence if a key occurs several times.
  init(_ seed: [Entry], isReadOnly: Bool) {
    var latest: [EntryKey: Entry] = [:]
    for entry in seed { latest[entry.key] = entry }
    entries = Locked(latest.values.sorted { $0.key < $1.key })
    self.isReadOnly = isReadOnly
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key): Future(value: { try Self.entry(key, in: snapshot) })
    case .count(let query):
      Future(value: { try OrderedPage(snapshot).count(query) })
    default: query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    switch ReadRequest(query) {
    case .page(let query):
      return Future(value: {
        try query.checkOrder([.types, .expiry])
        return try OrderedPage(snapshot).page(query)
      })
    case .all: return Future(snapshot)
    case .several(let keys):
      let entries = snapshot
      return Future(value: { try keys.map { try Self.entry($0, in: entries) } })
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future(value: {
      let value = try Entry.valueToWrite(value)
      try checkWritable()
      let entry = Entry(key: request.key, value: value)
      return try entries.withLock { entries in
        try Self.replace(request.key, with: entry, request.condition, in: &entries)
        return entry
      }
    })
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery { return make(query.changes) }
    if let query = query as? RenamesQuery { return rename(query.renames) }
    return Future(value: {
      guard let keys = EntryKey.keysToWrite(array, query) else {
        throw CoreError.QueryNotSupported("this store cannot answer \(type(of: query))")
      }
      let values = try array.valuesToWrite(for: keys)
      try checkWritable()
      let written = zip(keys, values).map { Entry(key: $0, value: $1) }
      try entries.withLock { entries in
        for entry in written {
          try Self.replace(entry.key, with: entry, .anything, in: &entries)
        }
      }
      return written
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return Future(value: {
      try checkWritable()
      try entries.withLock { entries in
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
    })
  }

  /// Makes all changes, or none if one of them fails.
  private func make(_ changes: [EntryChange]) -> Future<[Entry]> {
    Future(value: {
      try checkWritable()
      return try entries.withLock { entries in
        var changed = entries
        var written: [Entry] = []
        for change in changes {
          let entry = change.value.map { Entry(key: change.key, value: $0) }
          try Self.replace(change.key, with: entry, WriteRequest(change).condition, in: &changed)
          if let entry { written.append(entry) }
        }
        entries = changed
        return written
      }
    })
  }

  /// Renames all entries, or none if one of them fails.
  private func rename(_ renames: [RenameQuery]) -> Future<[Entry]> {
    Future(value: {
      try checkWritable()
      return try entries.withLock { entries in
        var changed = entries
        let renamed = try renames.inOrder().map { rename in
          let old = Self.entry(
            rename.entryKey, at: Self.place(of: rename.entryKey, in: changed), in: changed)
          guard let old, old.fingerprint == rename.expecting else {
            throw StoreError.conflict(current: old)
          }
          var entry = old
          entry.key = rename.newKey
          try Self.replace(rename.entryKey, with: nil, .anything, in: &changed)
          try Self.replace(rename.newKey, with: entry, .nothing, in: &changed)
          return entry
        }
        entries = changed
        return renamed
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

  private func checkWritable() throws(StoreError) {
    if isReadOnly { throw .readOnly("the store was opened read-only; nothing was written") }
  }

  private static func entry(_ key: EntryKey, in entries: [Entry]) throws -> Entry {
    try entry(key, at: place(of: key, in: entries), in: entries).found(key)
  }

  private static func entry(_ key: EntryKey, at place: Int, in entries: [Entry]) -> Entry? {
    entries.indices.contains(place) && entries[place].key == key ? entries[place] : nil
  }

  /// Returns the index of a key, or the index to insert it at.
  private static func place(of key: EntryKey, in entries: [Entry]) -> Int {
    entries.indices.bisect { key <= entries[$0].key }
  }
}
