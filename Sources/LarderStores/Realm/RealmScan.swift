import Harmony
import HarmonyRealm
import LarderModel
import LarderStoreBase

/// A scan that visits the objects of a class in batches to answer a query.
struct RealmScan: EntryScan {
  private let source: RealmEntrySource
  private let flag: CancelFlag
  private let path: String

  /// The maximum number of objects to read from one version of the file.
  private static let batch = 20_000

  init(_ source: RealmEntrySource, _ flag: CancelFlag) {
    self.source = source
    self.flag = flag
    path = source.file.path
  }

  /// An object that the scan has found.
  struct Found {
    let key: EntryKey
    let objectKey: Int64
    /// The object, or nil if only keys are read.
    let object: RealmObject?
  }

  /// Visits objects in batches, and notes the object keys of the last ones, where a next page starts.
  func walk(
    _ selection: EntrySelection, after: EntryKey?, isBackward: Bool, isWhole: Bool,
    atMost count: Int, _ body: (Found) throws -> Bool
  ) throws -> Bool {
    var last: Found?
    defer { if let last { source.places.note(last.key, last.objectKey) } }
    let size = min(isWhole ? Self.batch / 20 : Self.batch, count)
    while true {
      try flag.check()
      // Collect a batch before processing it: a read is repeated if the file changes in the
      // process, but each object must be processed only once.
      let batch = try source.read { lookup in
        let start =
          try last?.objectKey
          ?? after.flatMap { try lookup.place(after: $0, isBackward: isBackward) }
        return try gather(lookup, after: start, isBackward: isBackward, isWhole: isWhole, size)
      }
      for found in batch {
        guard try body(found) else {
          source.places.note(found.key, found.objectKey)
          return false
        }
        last = found
      }
      if batch.count < size {
        try flag.check()
        return true
      }
    }
  }

  /// Returns a batch of objects after a position, or only their keys.
  private func gather(
    _ lookup: RealmLookup, after: Int64?, isBackward: Bool, isWhole: Bool, _ size: Int
  ) throws -> [Found] {
    var batch: [Found] = []
    func take(_ found: Found) -> Bool {
      batch.append(found)
      return batch.count < size && !flag.isCancelled
    }
    if isWhole {
      try lookup.reading.forEach(of: lookup.found, after: after, isBackward: isBackward) {
        take(Found(key: $0.key, objectKey: $0.objectKey, object: $0))
      }
    } else if let primary = lookup.found.primaryKey {
      try lookup.reading.forEachValue(
        of: primary, in: lookup.found, after: after, isBackward: isBackward
      ) {
        take(Found(key: $1.entryKey ?? .integer($0), objectKey: $0, object: nil))
      }
    } else {
      try lookup.reading.forEachKey(of: lookup.found, after: after, isBackward: isBackward) {
        take(Found(key: .integer($0), objectKey: $0, object: nil))
      }
    }
    return batch
  }

  /// Returns the rows of a page of the key tree, whose order differs from that of the objects.
  func tree(_ query: PrefixSummaryQuery) throws -> [Entry] {
    var selection = TreeSelection(query)
    let all = try EntrySelection("", nil, nil)
    _ = try walk(all, after: nil, isBackward: false, isWhole: false, atMost: .max) { found in
      selection.take(found.key)
      return true
    }
    return selection.rows()
  }

  func key(of found: Found) -> EntryKey { found.key }

  func entry(_ key: EntryKey) throws -> Entry? { try source.read { try $0.entry(key) } }

  func matches(_ found: inout Found, _ selection: EntrySelection) -> Bool {
    guard found.key.hasPrefix(selection.prefix) else { return false }
    guard let filter = selection.filter, let matcher = selection.matcher else { return true }
    if filter.field == .keys, !matcher.matches(found.key) { return false }
    guard filter.readsValues else { return true }
    do throws(StoreError) {
      let value = try found.object?.stored(path) ?? .null
      return matcher.matchesColumns(value)
        && (filter.field == .keys || matcher.matches(value, of: found.key))
    } catch {
      selection.scan?.report(unreadable: found.key, error)
      return false
    }
  }

  func entry(of found: Found, _ detail: EntryPageQuery.Detail) -> Entry {
    source.places.note(found.key, found.objectKey)
    guard detail != .keys else { return Entry(key: found.key) }
    guard let entry = try? found.object?.entry(found.key, path) else {
      // The error is reported when the value is requested.
      return Entry(key: found.key, type: .record)
    }
    return entry.cut(to: detail)
  }
}
