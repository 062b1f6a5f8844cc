package import Harmony
package import LarderModel

/// A value to write.
package struct EntryWrite: Sendable {
  package let value: StoredValue
  package let form: String?
  package let request: WriteRequest
}

/// A data source of entries that answers each kind of query in a function.
package protocol EntrySource: GetDataSource<Entry>, PutDataSource<Entry>, DeleteDataSource {
  /// Returns the entries of keys; fails if one does not exist.
  func read(_ keys: [EntryKey]) -> Future<[Entry]>

  func answer(_ query: CountQuery) -> Future<Entry>
  func answer(_ query: EntryPageQuery) -> Future<[Entry]>
  func answer(_ query: PresenceQuery) -> Future<Entry>
  func answer(_ query: EntriesQuery) -> Future<[Entry]>
  func answer(_ query: PrefixSummaryQuery) -> Future<[Entry]>
  func answer(_ query: SampleQuery) -> Future<[Entry]>

  /// Writes values one by one, each if the condition of its request holds.
  func put(_ writes: [EntryWrite]) -> Future<[Entry]>

  /// Renames entries together.
  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]>

  func answer(_ query: ChangesQuery) -> Future<[Entry]>
  func answer(_ query: RecordedChangeQuery) -> Future<[Entry]>
  func answer(_ query: ImportQuery) -> Future<Entry>
  func answer(_ request: DeleteRequest) -> Future<Void>
}

// The queries that only some stores answer.
extension EntrySource {
  package func answer(_ query: PresenceQuery) -> Future<Entry> { query.unsupported() }
  package func answer(_ query: EntriesQuery) -> Future<[Entry]> { query.unsupported() }
  package func answer(_ query: PrefixSummaryQuery) -> Future<[Entry]> { query.unsupported() }
  package func answer(_ query: SampleQuery) -> Future<[Entry]> { query.unsupported() }
  package func answer(_ query: RecordedChangeQuery) -> Future<[Entry]> { query.unsupported() }
  package func answer(_ query: ImportQuery) -> Future<Entry> { query.unsupported() }
}

extension EntrySource {
  package func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? PresenceQuery { return answer(query) }
    switch ReadRequest(query) {
    case .one(let key): return read([key]).map { try $0.only() }
    case .count(let query): return answer(query)
    default: return query.unsupported()
    }
  }

  package func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? EntriesQuery { return answer(query) }
    if let query = query as? PrefixSummaryQuery { return answer(query) }
    if let query = query as? SampleQuery { return answer(query) }
    switch ReadRequest(query) {
    case .page(let query): return answer(query)
    case .all: return answer(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys): return read(keys)
    case .one(let key): return read([key])
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  package func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query], nil).map { try $0.only() } }
    if let query = query as? ImportQuery { return answer(query) }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return Future(future: {
      let new = try Entry.valueToWrite(value)
      return put([EntryWrite(value: new, form: value?.form, request: request)])
        .map { try $0.only() }
    })
  }

  @discardableResult
  package func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery { return answer(query) }
    if let query = query as? RecordedChangeQuery { return answer(query) }
    if let query = query as? RenamesQuery { return rename(query.renames, query.scan) }
    return Future(future: {
      guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
      let values = try array.valuesToWrite(for: keys)
      return put(
        keys.indices.map { place in
          EntryWrite(
            value: values[place], form: array[place].form,
            request: WriteRequest(keys[place], .anything))
        })
    })
  }

  @discardableResult
  package func delete(_ query: any Query) -> Future<Void> {
    DeleteRequest(query).map(answer) ?? query.unsupported()
  }
}
