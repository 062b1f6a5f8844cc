import Harmony
import LarderModel

/// What a store can do whose calls each take their time and may fail by themselves, as those do that
/// another process answers.
protocol EntryCalls: Sendable {
  /// The entry under a key.
  func read(_ key: EntryKey) async throws -> Entry

  /// How many entries match.
  func count(_ query: CountQuery) async throws -> Entry

  /// The entries of a page.
  func page(_ query: EntryPageQuery) async throws -> [Entry]

  /// Writes a value, if what is there is as it has to be.
  func put(_ value: StoredValue, form: String?, _ request: WriteRequest) async throws -> Entry

  /// Deletes an entry, if what is there is as it has to be.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws

  /// Deletes the entries below a prefix.
  func delete(below prefix: String, _ scan: Scan?) async throws

  /// Gives an entry another key.
  func rename(_ rename: RenameQuery) async throws -> Entry

  /// Makes changes one after the other.
  func make(_ query: ChangesQuery) async throws -> [Entry]

  /// Does what comes after so many others were done, which is said where it cannot be done.
  func afterOthers<Value>(
    _ count: Int, _ body: () async throws -> Value
  ) async throws -> Value
}

extension EntryCalls {
  /// Does something for each of several, and says how many are done where one cannot be.
  func each<Element, Answer>(
    _ elements: [Element], _ body: (Element) async throws -> Answer
  ) async throws -> [Answer] {
    var answers: [Answer] = []
    for element in elements {
      answers.append(try await afterOthers(answers.count) { try await body(element) })
    }
    return answers
  }
}

/// A source of entries that answers queries by one call after the other.
protocol CallingSource: GetDataSource, PutDataSource, DeleteDataSource {
  associatedtype Calls: EntryCalls

  /// Does calls that only read.
  func future<Value: Sendable>(
    _ body: @escaping @Sendable (Calls) async throws -> Value
  ) -> Future<Value>

  /// Does calls that write, or refuses to.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Calls) async throws -> Value
  ) -> Future<Value>
}

extension CallingSource {
  /// Answers what a `get` asks for.
  func entry(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key): future { try await $0.read(key) }
    case .count(let query): future { try await $0.count(query) }
    default: query.unsupported()
    }
  }

  /// Answers what a `getAll` asks for.
  func entries(_ query: any Query) -> Future<[Entry]> {
    switch ReadRequest(query) {
    case .page(let query): return future { try await $0.page(query) }
    case .all: return entries(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys):
      return future { calls in
        var entries: [Entry] = []
        for key in keys { entries.append(try await calls.read(key)) }
        return entries
      }
    case .one(let key): return future { [try await $0.read(key)] }
    case .count, nil: return query.unsupported()
    }
  }

  /// Does what a `put` asks for.
  func putEntry(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return write { calls in
      let form = value?.form
      return try await calls.put(try Entry.valueToWrite(value), form: form, request)
    }
  }

  /// Does what a `putAll` asks for.
  func putEntries(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery { return write { try await $0.make(query) } }
    if let query = query as? RenamesQuery { return rename(query.renames) }
    return write { calls in
      guard let keys = EntryKey.keysToWrite(array, query) else {
        throw CoreError.QueryNotSupported("this store cannot answer \(type(of: query))")
      }
      let values = try array.valuesToWrite(for: keys)
      return try await calls.each(Array(keys.indices)) { place in
        try await calls.put(
          values[place], form: array[place].form, WriteRequest(keys[place], .anything))
      }
    }
  }

  /// Does what a `delete` asks for.
  func deleteEntries(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return write { calls in
      switch request {
      case .one(let key, let condition): try await calls.delete(key, condition)
      case .several(let keys):
        _ = try await calls.each(keys) { try await calls.delete($0, .anything) }
      case .prefix(let prefix, let scan): try await calls.delete(below: prefix, scan)
      case .all: try await calls.delete(below: "", nil)
      }
    }
  }

  private func rename(_ renames: [RenameQuery]) -> Future<[Entry]> {
    write { calls in try await calls.each(try renames.inOrder()) { try await calls.rename($0) } }
  }
}
