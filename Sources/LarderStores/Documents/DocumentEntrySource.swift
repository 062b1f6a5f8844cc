import Dispatch
import Harmony
import LarderModel
import LarderDocuments

/// A data source whose entries are the members of a document, and the nested values by key path.
///
/// Page reads, scans and writes each run on their own queue, where their futures complete. A write
/// only takes place if the file is unchanged since it was read; a write of several entries replaces
/// the file once. Deleting an array element decrements the indexes, and so the keys, of the
/// elements after it.
final class DocumentEntrySource<Contents: Document>: GetDataSource, PutDataSource, DeleteDataSource
{
  private let file: DocumentFile<Contents>
  private let options: OpenOptions
  private let pages = DispatchQueue(label: "larder.document.page")
  private let scans = DispatchQueue(label: "larder.document.scan")
  private let writes = DispatchQueue(label: "larder.document.write")

  /// Creates a source for a document file.
  init(_ file: DocumentFile<Contents>, options: OpenOptions) {
    self.file = file
    self.options = options
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key): return read(pages) { [file] reading, _ in try file.entry(key, reading) }
    case .count(let query):
      return read(scans) { reading, flag in
        let entries = reading.entries(isWhole: query.filter?.readsValues == true, flag)
        return try entries.count(query)
      }
    default: return query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? EntriesQuery {
      return read(pages) { [file] reading, flag in
        try query.answer { key in
          try flag.check()
          return try file.entry(key, in: reading.document)
        }
      }
    }
    switch ReadRequest(query) {
    case .page(let query):
      let isScan = query.filter != nil || query.inKeyOrder == nil
      return read(isScan ? scans : pages) { reading, flag in
        try query.checkOrder(.types)
        return try reading.entries(isWhole: query.filter?.readsValues == true, flag).page(query)
      }
    case .all: return getAll(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys):
      return read(pages) { [file] reading, _ in try keys.map { try file.entry($0, reading) } }
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    let form = value?.form
    return Future(future: {
      let value = try Entry.valueToWrite(value)
      return write { [file] document in try file.put(value, form, request, in: document) }
    })
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery {
      return write(query.scan) { [file] document in try file.make(query.changes, in: document) }
    }
    if let query = query as? RenamesQuery { return rename(query.renames, query.scan) }
    if let query = query as? RecordedChangeQuery {
      return writeAsRead(query.change.scan) { [file] reading in try file.make(query, reading) }
    }
    return Future(future: {
      guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
      let values = try array.valuesToWrite(for: keys)
      return write { [file] document in try file.put(values, array.map(\.form), keys, in: document)
      }
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return write { [file] document in try file.delete(request, in: document) }
  }

  private func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) -> Future<[Entry]> {
    write(scan) { [file] document in try file.rename(renames, in: document) }
  }

  private func read<Value: Sendable>(
    _ queue: DispatchQueue,
    _ body: @escaping @Sendable (DocumentFile<Contents>.Reading, CancelFlag) throws -> Value
  ) -> Future<Value> {
    queue.future { [file] flag in
      let value = try body(try file.read(), flag)
      try flag.check()
      return value
    }
  }

  private func write<Value: Sendable>(
    _ scan: Scan? = nil,
    _ plan: @escaping @Sendable (Contents) throws -> DocumentPlan<Contents, Value>
  ) -> Future<Value> {
    writeAsRead(scan) { try plan($0.document) }
  }

  private func writeAsRead<Value: Sendable>(
    _ scan: Scan?,
    _ plan:
      @escaping @Sendable (DocumentFile<Contents>.Reading) throws -> DocumentPlan<Contents, Value>
  ) -> Future<Value> {
    if options.isReadOnly {
      return Future(StoreError.readOnly("\(file.path) was opened read-only; nothing was written"))
    }
    return writes.future { [file, options] _ in
      try file.write(patience: options.busyTimeout, scan: scan, plan)
    }
  }
}

extension DocumentEntrySource: DryRunService {
  func entries(after change: StoreChange) async throws -> [Entry] {
    try await writes.future { [file] _ in try file.tryOut(change) }.getCancelling()
  }
}

extension DocumentFile.Reading {
  /// Returns the members as entries, sorted by key.
  func entries(isWhole: Bool, _ flag: CancelFlag) -> DocumentEntries<Contents> {
    DocumentEntries(
      document: document, keys: keys.sorted(document), isWhole: isWhole, flag: flag)
  }
}
