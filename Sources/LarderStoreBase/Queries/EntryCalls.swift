package import Harmony
package import LarderModel

/// The operations of a store whose calls may take long and fail independently, for example because
/// another process executes them.
package protocol EntryCalls: Sendable {
  /// Returns the entry for a key.
  func read(_ key: EntryKey) async throws -> Entry

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) async throws -> Entry

  /// Returns the entries of a page.
  func page(_ query: EntryPageQuery) async throws -> [Entry]

  /// Writes a value, if the condition of the request holds.
  func put(_ value: StoredValue, form: String?, _ request: WriteRequest) async throws -> Entry

  /// Deletes an entry, if the condition holds.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws

  /// Deletes the entries with a prefix.
  func delete(below prefix: String, _ scan: Scan?) async throws

  /// Renames an entry.
  func rename(_ rename: RenameQuery) async throws -> Entry

  /// Makes changes one by one.
  func make(_ query: ChangesQuery) async throws -> [Entry]

  /// Makes one of several changes, and adds the number of previous changes to an error.
  func afterOthers<Value>(
    _ count: Int, _ body: () async throws -> Value
  ) async throws -> Value
}

extension EntryCalls {
  /// Makes changes one by one, without checking them first.
  ///
  /// - Returns: The entries as stored.
  package func makeInOrder(_ query: ChangesQuery) async throws -> [Entry] {
    var written: [Entry] = []
    for (count, change) in query.changes.enumerated() {
      try query.scan?.reportChanged(count)
      try await query.scan.blaming(change.key) {
        try await afterOthers(count) {
          if let value = change.value {
            written.append(try await put(value, form: change.form, WriteRequest(change)))
          } else {
            try await delete(change.key, WriteRequest(change).condition)
          }
        }
      }
    }
    // Ignore a cancellation at this point: all changes have been made.
    try? query.scan?.reportChanged(query.changes.count)
    return written
  }

  /// Processes elements one by one; an error includes the number of elements processed before.
  package func each<Element, Answer>(
    _ elements: [Element], _ body: (Element) async throws -> Answer
  ) async throws -> [Answer] {
    var answers: [Answer] = []
    for element in elements {
      answers.append(try await afterOthers(answers.count) { try await body(element) })
    }
    return answers
  }
}

/// A data source that answers queries with sequential calls.
package protocol CallingSource: EntrySource {
  associatedtype Calls: EntryCalls

  /// Performs calls that only read.
  func future<Value: Sendable>(
    _ body: @escaping @Sendable (Calls) async throws -> Value
  ) -> Future<Value>

  /// Performs calls that write, or fails if the store is read-only.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Calls) async throws -> Value
  ) -> Future<Value>
}

extension CallingSource {
  package func read(_ keys: [EntryKey]) -> Future<[Entry]> {
    future { calls in
      var entries: [Entry] = []
      for key in keys { entries.append(try await calls.read(key)) }
      return entries
    }
  }

  package func answer(_ query: CountQuery) -> Future<Entry> { future { try await $0.count(query) } }

  package func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    future { try await $0.page(query) }
  }

  package func put(_ writes: [EntryWrite]) -> Future<[Entry]> {
    write { calls in
      try await calls.each(writes) { try await calls.put($0.value, form: $0.form, $0.request) }
    }
  }

  package func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> {
    write { calls in try await calls.each(try renames.inOrder()) { try await calls.rename($0) } }
  }

  package func answer(_ query: ChangesQuery) -> Future<[Entry]> {
    write { try await $0.make(query) }
  }

  package func answer(_ request: DeleteRequest) -> Future<Void> {
    write { calls in
      switch request {
      case .one(let key, let condition): try await calls.delete(key, condition)
      case .several(let keys):
        _ = try await calls.each(keys) { try await calls.delete($0, .anything) }
      case .prefix(let prefix, let scan): try await calls.delete(below: prefix, scan)
      case .all: try await calls.delete(below: "", nil)
      }
    }
  }
}
