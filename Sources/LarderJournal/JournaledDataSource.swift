import Harmony
import LarderCore

/// Records every change in the journal before the store below is touched.
///
/// Whatever a write expects, the store below is asked to compare: what the journal says was there
/// is what was there. A read goes through unchanged.
final class JournaledDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>
  private let writer: JournaledWriter

  init(_ writer: JournaledWriter) {
    source = writer.source
    self.writer = writer
  }

  func get(_ query: any Query) -> Future<Entry> { source.get(query) }

  func getAll(_ query: any Query) -> Future<[Entry]> { source.getAll(query) }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    let writer = writer
    if let query = query as? RenameQuery {
      return Future { try await writer.rename(query) }
    }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future {
      try await writer.put(try Entry.valueToWrite(value), form: value?.form, request)
    }
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    let writer = writer
    if let query = query as? ChangesQuery {
      return Future {
        try await writer.change(query.changes, query.scan, areExact: query.areExact)
      }
    }
    if let query = query as? RenamesQuery {
      return Future { try await writer.rename(query.renames, query.scan) }
    }
    guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
    return Future {
      let values = try array.valuesToWrite(for: keys)
      return try await writer.putAll(Array(zip(keys, values)), forms: array.map(\.form))
    }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    let writer = writer
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return Future {
      switch request {
      case .one(let key, let condition): try await writer.delete(key, condition)
      case .several(let keys): try await writer.deleteAll(keys: keys)
      case .prefix(let prefix, let scan): try await writer.delete(prefix: prefix, scan)
      case .all: try await writer.delete(prefix: "", nil)
      }
    }
  }
}

extension JournaledWriter: StoreHistory {
  func steps(isRedo: Bool, limit: Int) async throws -> [JournalStep] {
    try await journal.steps(isRedo: isRedo, limit: limit, at: location).map { record in
      var step = record.step
      step.time = record.time
      return step
    }
  }

  func entry(before key: EntryKey) async throws -> Entry? {
    guard undo.recordsEntries else { return try await journal.entry(before: key, at: location) }
    // Of a step of several entries the journal lists the first, and the store recorded the others.
    var key = key
    var turn = Int64.max
    while true {
      let listed = try await journal.lastChange(of: key, before: turn, at: location)
      while let step = try await journal.countedStep(
        between: listed?.turn ?? 0, and: turn, at: location)
      {
        turn = step.turn
        let entries = try await undo.entries(of: step.step.storeRecord ?? [])
        guard let entry = entries.first(where: { $0.key == key }) else { continue }
        let date = step.step.record.time
        return entry.before.map { Entry(key: key, value: $0, modified: date) }
          ?? Entry(key: key, modified: date)
      }
      guard let listed else { return nil }
      guard listed.isRenamed else {
        return try await journal.entry(before: key, from: listed.turn + 1, at: location)
      }
      (key, turn) = (listed.key, listed.turn)
    }
  }
}
