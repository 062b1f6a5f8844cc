import Harmony
import LarderModel

/// A data source that records every change in the journal before it modifies the store.
///
/// Every write asks the store to compare the old value, whatever the query expects, so that the
/// journal records the value that was actually replaced. Reads pass through unchanged.
final class JournaledDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>
  private let writer: JournaledWriter

  init(_ writer: JournaledWriter) {
    source = writer.store.source
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

/// A dry run that also takes into account what the journal cannot record.
struct JournaledDryRun: DryRunService {
  let dryRun: any DryRunService
  let writer: JournaledWriter

  func entries(after change: StoreChange) async throws -> [Entry] {
    guard case .changes(var query) = change else { return try await dryRun.entries(after: change) }
    query.changes = try await writer.items(of: query.changes, query.scan, areKept: false).changes
    return try await dryRun.entries(after: .changes(query))
  }
}
