import Foundation
import Harmony
package import LarderModel

@testable package import LarderStoreBase
@testable import LarderStores

/// A kind of store with a sorted array in a text file: each line has a key, a value and an expiry.
///
/// It implements the minimum for reading, writing, undoing and watching, with expiries stored
/// separately from the values.
package enum SortedArrayKind: OpenableKind {
  static let mark = "# sorted array"
  package static let kind = StoreKind(
    name: "array", recognizedBy: "\(mark) on its first line", collections: "–", keys: "text",
    types: [.text])

  package static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target, bytes.starts(with: Array(mark.utf8)) else {
      return nil
    }
    return "the first line of the file is \(mark)"
  }

  package static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let source = SortedArraySource(probe.location.path, isReadOnly: options.isReadOnly)
    let reason = options.isReadOnly ? OpeningMessages.openedReadOnly : nil
    let store = Store(
      kind: kind, location: probe.location,
      capabilities: reason == nil
        ? [.ordered, .searchable, .prefixes, .types, .writable, .creates]
        : [.ordered, .searchable, .prefixes, .types],
      keyStyle: .text, readOnlyReason: reason, source: AnyDataSource(source), expiry: source,
      dryRun: source, changeFeed: { FileChangeFeed([.file(probe.location.path)]) },
      undoSupport: SortedArrayUndo())
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason
    ) { _ in store }
  }

  /// Creates a file with values that never expire.
  package static func make(at path: String, _ values: [String: String]) throws {
    let lines = values.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\t" }
    try ([mark] + lines).joined(separator: "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
  }
}

/// Supports undo with only the entries recorded in the journal.
struct SortedArrayUndo: UndoSupport {}

/// The entries of the file, which is read for each query and rewritten by each change.
final class SortedArraySource: GetDataSource, PutDataSource, DeleteDataSource {
  private let path: String
  private let isReadOnly: Bool
  /// Serializes changes.
  private let lock = Locked(())

  init(_ path: String, isReadOnly: Bool) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key): Future(value: { try Self.entry(key, in: try read()) })
    case .count(let query): Future(value: { try OrderedPage(try read()).count(query) })
    default: query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    switch ReadRequest(query) {
    case .page(let query):
      return Future(value: {
        try query.checkOrder([.types, .expiry])
        return try OrderedPage(try read()).page(query)
      })
    case .all: return Future(value: { try read() })
    case .several(let keys):
      return Future(value: {
        let entries = try read()
        return try keys.map { try Self.entry($0, in: entries) }
      })
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery {
      return putAll([], in: RenamesQuery([query])).map { try $0.only() }
    }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future(value: {
      let entry = Entry(key: request.key, value: try Entry.valueToWrite(value))
      return try change { try Self.replace(request.key, entry, request.condition, in: &$0) }
        ?? entry
    })
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    switch query {
    case let query as ChangesQuery:
      return Future(value: { try change { try Self.make(query.changes, in: &$0) } })
    case let query as RenamesQuery:
      return Future(value: { try change { try Self.rename(query.renames, in: &$0) } })
    default:
      return Future(value: {
        guard let keys = EntryKey.keysToWrite(array, query) else {
          throw CoreError.QueryNotSupported("an array cannot answer \(type(of: query))")
        }
        let written = zip(keys, try array.valuesToWrite(for: keys)).map {
          Entry(key: $0, value: $1)
        }
        return try change { entries in
          for entry in written { try Self.replace(entry.key, entry, .anything, in: &entries) }
          return written
        }
      })
    }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return Future(value: {
      try change { entries in
        switch request {
        case .one(let key, let condition): try Self.replace(key, nil, condition, in: &entries)
        case .several(let keys): entries.removeAll { keys.contains($0.key) }
        case .prefix(let prefix, let scan):
          let count = entries.count
          entries.removeAll { $0.key.hasPrefix(prefix) }
          scan?.reportDeleted(count - entries.count)
        case .all: entries = []
        }
      }
    })
  }

  // MARK: Changes

  private func change<Value>(_ body: (inout [Entry]) throws -> Value) throws -> Value {
    if isReadOnly {
      throw StoreError.readOnly("\(path) was opened read-only; nothing was written")
    }
    return try lock.withLock { _ in
      var entries = try read()
      let value = try body(&entries)
      try write(entries)
      return value
    }
  }

  private static func make(
    _ changes: [EntryChange], in entries: inout [Entry]
  ) throws -> [Entry] {
    var written: [Entry] = []
    for change in changes {
      let entry = change.value.map { Entry(key: change.key, value: $0) }
      try replace(change.key, entry, WriteRequest(change).condition, in: &entries)
      if let entry { written.append(entry) }
    }
    return written
  }

  private static func rename(
    _ renames: [RenameQuery], in entries: inout [Entry]
  ) throws -> [Entry] {
    try renames.inOrder().map { rename in
      let old = entries.first { $0.key == rename.entryKey }
      guard var entry = old, entry.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: old)
      }
      entry.key = rename.newKey
      try replace(rename.entryKey, nil, .anything, in: &entries)
      try replace(rename.newKey, entry, .nothing, in: &entries)
      return entry
    }
  }

  @discardableResult
  private static func replace(
    _ key: EntryKey, _ entry: Entry?, _ condition: WriteRequest.Condition,
    in entries: inout [Entry]
  ) throws -> Entry? {
    let place = entries.firstIndex { $0.key >= key } ?? entries.endIndex
    let current = place < entries.endIndex && entries[place].key == key ? entries[place] : nil
    guard condition.allows(current) else { throw StoreError.conflict(current: current) }
    var new = entry
    // A new value inherits the expiry of the old one.
    if let current, new?.expires == nil { new?.expires = current.expires }
    entries.replaceSubrange(
      place..<(place + (current == nil ? 0 : 1)), with: new.map { [$0] } ?? [])
    return new
  }

  private static func entry(_ key: EntryKey, in entries: [Entry]) throws -> Entry {
    guard let entry = entries.first(where: { $0.key == key }) else {
      throw CoreError.NotFound("no entry has the key \(key.spoken)")
    }
    return entry
  }

  // MARK: The file

  private func read() throws -> [Entry] {
    let lines: [Substring]
    do {
      lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
        .map { $0 }
    } catch {
      throw StoreError.cannotOpen("\(path) cannot be read")
    }
    return try lines.map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count == 3 else {
        throw StoreError.corrupt("\(path) has a line without two tabs")
      }
      var entry = Entry(key: .text(String(parts[0])), value: .text(String(parts[1])))
      entry.expires = Double(parts[2]).map { Date(timeIntervalSince1970: $0) }
      return entry
    }
  }

  private func write(_ entries: [Entry]) throws {
    let lines = try entries.map { entry in
      guard case .text(let key) = entry.key, case .text(let value)? = entry.value,
        !(key + value).contains(where: { $0 == "\t" || $0.isNewline })
      else {
        throw StoreError.notSupported(
          "\(entry.key.spoken) is not one line of text without tabs; nothing was written")
      }
      return "\(key)\t\(value)\t\(entry.expires.map { String($0.timeIntervalSince1970) } ?? "")"
    }
    do {
      try ([SortedArrayKind.mark] + lines).joined(separator: "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw StoreError.failed("\(path) cannot be written; nothing was written")
    }
  }
}

extension SortedArraySource: DryRunService {
  func entries(after change: StoreChange) async throws -> [Entry] {
    var entries = try read()
    return switch change {
    case .changes(let query): try Self.make(query.changes, in: &entries)
    case .renames(let query): try Self.rename(query.renames, in: &entries)
    }
  }
}

extension SortedArraySource: ExpiryService, SeparateExpiries {
  var separate: (any SeparateExpiries)? { self }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    let entries = try read()
    return try changes.map { change in
      var entry = try change.checked(entries.first { $0.key == change.key })
      entry.expires = change.expires
      return entry
    }
  }

  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try change { entries in
      try changes.map { change in
        let place = entries.firstIndex { $0.key == change.key }
        _ = try change.checked(place.map { entries[$0] })
        guard let place else { throw StoreError.conflict(current: nil) }
        entries[place].expires = change.expires
        return entries[place]
      }
    }
  }
}
