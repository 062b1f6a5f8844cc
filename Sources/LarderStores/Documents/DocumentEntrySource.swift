import Dispatch
import Harmony
import LarderModel
import LarderDocuments
import LarderStoreBase

/// A data source whose entries are the members of a document, and the nested values by key path.
///
/// Page reads, scans and writes each run on their own queue, where their futures complete. A write
/// only takes place if the file is unchanged since it was read; a write of several entries replaces
/// the file once. Deleting an array element decrements the indexes, and so the keys, of the
/// elements after it.
final class DocumentEntrySource<Contents: Document>: EntrySource {
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

  func read(_ keys: [EntryKey]) -> Future<[Entry]> {
    read(pages) { [file] reading, _ in try keys.map { try file.entry($0, reading) } }
  }

  func answer(_ query: CountQuery) -> Future<Entry> {
    read(scans) { reading, flag in
      try reading.members(flag).count(query)
    }
  }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    let isScan = query.filter != nil || query.inKeyOrder == nil
    return read(isScan ? scans : pages) { reading, flag in
      try query.checkOrder(.types)
      return try reading.members(flag).page(query)
    }
  }

  func answer(_ query: EntriesQuery) -> Future<[Entry]> {
    read(pages) { [file] reading, flag in
      try query.answer { key in
        try flag.check()
        return try file.entry(key, in: reading.document)
      }
    }
  }

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> {
    write { [file] reading in try file.put(writes, in: reading.document) }
  }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> {
    write(scan) { [file] reading in try file.rename(renames, in: reading.document) }
  }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> {
    write(query.scan) { [file] reading in try file.make(query, in: reading.document) }
  }

  func answer(_ query: RecordedChangeQuery) -> Future<[Entry]> {
    write(query.change.scan) { [file] reading in try file.make(query, reading) }
  }

  func answer(_ request: DeleteRequest) -> Future<Void> {
    write { [file] reading in try file.delete(request, in: reading.document) }
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
    _ plan:
      @escaping @Sendable (DocumentFile<Contents>.Reading) throws -> DocumentPlan<Contents, Value>
  ) -> Future<Value> {
    if options.isReadOnly {
      return Future(StoreError.openedReadOnly(file.path))
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
  /// Returns the members, sorted by key; their values are read when they are needed.
  func members(_ flag: CancelFlag) -> OrderedPage {
    let keys = keys.sorted(document)
    return OrderedPage(count: keys.count, key: { keys[$0] }) { [document] in
      document.entry(keys[$0], unless: flag)
    }
  }
}
