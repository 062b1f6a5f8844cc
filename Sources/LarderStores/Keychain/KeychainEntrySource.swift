#if Keychain
import Foundation
import Harmony
import HarmonyKeychain
import LarderCore

/// The keys and secrets of one service.
///
/// A list tells keys and when they were stored, and no secret, unless values are asked for. Each
/// write compares and writes in one call, between which this process has no other; another process
/// may come between, as a keychain cannot compare. Several changes are made one after the other.
final class KeychainEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
  private let keychain: KeychainService
  private let location: StoreLocation
  private let isReadOnly: Bool
  private let salt: SecretSalt

  /// How many secrets are read in one call, which has its time limit.
  private static let batch = 100

  init(
    _ keychain: KeychainService, at location: StoreLocation, isReadOnly: Bool,
    salt: SecretSalt = .ofPerson
  ) {
    self.keychain = keychain
    self.location = location
    self.isReadOnly = isReadOnly
    self.salt = salt
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key): future { try await $0.read(key) }
    case .count(let query): future { try OrderedPage(try await $0.listed()).count(query) }
    default: query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    switch ReadRequest(query) {
    case .page(let query): return future { try await $0.page(query) }
    case .all: return getAll(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys):
      return future { source in
        var entries: [Entry] = []
        for key in keys { entries.append(try await source.read(key)) }
        return entries
      }
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    return write { try await $0.put(try Entry.valueToWrite(value), request) }
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery { return write { try await $0.make(query) } }
    if let query = query as? RenamesQuery { return rename(query.renames) }
    return write { source in
      guard let keys = EntryKey.keysToWrite(array, query) else {
        throw CoreError.QueryNotSupported("this store cannot answer \(type(of: query))")
      }
      let values = try array.valuesToWrite(for: keys)
      return try await source.each(Array(zip(keys, values))) { key, value in
        try await source.put(value, WriteRequest(key, .anything))
      }
    }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return write { source in
      switch request {
      case .one(let key, let condition): try await source.delete(key, condition)
      case .several(let keys):
        _ = try await source.each(keys) { try await source.delete($0, .anything) }
      case .prefix(let prefix, let scan): try await source.delete(below: prefix, scan)
      case .all: try await source.delete(below: "", nil)
      }
    }
  }

  private func rename(_ renames: [RenameQuery]) -> Future<[Entry]> {
    write { source in
      try await source.each(try renames.inOrder()) { try await source.rename($0) }
    }
  }

  // MARK: Reading

  /// All keys in order, with when they were stored.
  private func listed() async throws -> [Entry] {
    try await keychain.items().getCancelling()
      .map { Entry(key: .text($0.key), modified: $0.modified) }
  }

  private func page(_ query: EntryPageQuery) async throws -> [Entry] {
    try query.checkOrder(.modified)
    if query.filter?.field == .values {
      throw StoreError.notSupported("the secrets of a keychain are not searched, only its keys")
    }
    let page = try OrderedPage(try await listed()).page(query)
    guard query.detail == .values else { return page }
    var entries: [Entry] = []
    for start in stride(from: 0, to: page.count, by: Self.batch) {
      let keys = page[start..<min(start + Self.batch, page.count)].compactMap(\.key.secretKey)
      let salt = salt
      entries += try await keychain.perform(keys) { call in
        // What is gone since the keys were listed is left out.
        try keys.compactMap { try Self.entry($0, in: call, salt) }
      }.getCancelling()
    }
    return entries
  }

  private func read(_ key: EntryKey) async throws -> Entry {
    guard let name = key.secretKey else {
      throw CoreError.NotFound("no entry has the key \(key.spoken)")
    }
    let salt = salt
    let found = try await keychain.perform([name]) { try Self.entry(name, in: $0, salt) }
      .getCancelling()
    guard let found else { throw CoreError.NotFound("no entry has the key \(key.spoken)") }
    return found
  }

  /// The whole entry of a key, whose fingerprint tells nothing of its secret.
  private static func entry(
    _ key: String, in call: KeychainCall, _ salt: SecretSalt
  ) throws -> Entry? {
    guard let value = try call.read(key, { StoredValue(secret: $0) }) else { return nil }
    var entry = Entry(key: .text(key), value: value, modified: try call.item(key)?.modified)
    entry.fingerprint = salt.fingerprint(of: value)
    return entry
  }

  // MARK: Writing

  private func put(_ value: StoredValue, _ request: WriteRequest) async throws -> Entry {
    let key = try request.key.secretKeyToWrite()
    let bytes = try value.secretBytes(for: request.key)
    let salt = salt
    return try await keychain.perform([key], isWrite: true) { call in
      try Self.check(key, request.condition, in: call, salt)
      var bytes = bytes
      defer { bytes.wipe() }
      try bytes.withUnsafeBytes { try call.write($0, under: key) }
      let stored = bytes.withUnsafeBytes { StoredValue(secret: $0) }
      var entry = Entry(key: request.key, value: stored, modified: try call.item(key)?.modified)
      entry.fingerprint = salt.fingerprint(of: stored)
      return entry
    }.getCancelling()
  }

  private func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws {
    guard let name = key.secretKey else {
      if case .unchanged = condition { throw StoreError.conflict(current: nil) }
      return
    }
    let salt = salt
    try await keychain.perform([name], isWrite: true) { call in
      try Self.check(name, condition, in: call, salt)
      _ = try call.remove(name)
    }.getCancelling()
  }

  private func delete(below prefix: String, _ scan: Scan?) async throws {
    let entries = try await listed().filter { $0.key.hasPrefix(prefix) }
    _ = try await each(entries) { try await self.delete($0.key, .anything) }
    scan?.reportDeleted(entries.count)
  }

  private func rename(_ rename: RenameQuery) async throws -> Entry {
    let newKey = try rename.newKey.secretKeyToWrite()
    guard let key = rename.entryKey.secretKey else { throw StoreError.conflict(current: nil) }
    let salt = salt
    return try await keychain.perform([key, newKey], isWrite: true) { call in
      guard let current = try Self.entry(key, in: call, salt),
        current.fingerprint == rename.expecting
      else { throw StoreError.conflict(current: try Self.entry(key, in: call, salt)) }
      if key.hasBytes(of: newKey) { return current }
      if let taken = try Self.entry(newKey, in: call, salt) {
        throw StoreError.conflict(current: taken)
      }
      guard try call.rename(key, to: newKey) else { throw StoreError.conflict(current: nil) }
      var renamed = current
      renamed.key = rename.newKey
      return renamed
    }.getCancelling()
  }

  private func make(_ query: ChangesQuery) async throws -> [Entry] {
    try await each(query.changes) { change -> Entry? in
      let request = WriteRequest(change)
      if let value = change.value { return try await self.put(value, request) }
      try await self.delete(change.key, request.condition)
      return nil
    }.compactMap(\.self)
  }

  private static func check(
    _ key: String, _ condition: WriteRequest.Condition, in call: KeychainCall, _ salt: SecretSalt
  ) throws {
    if case .anything = condition { return }
    let current = try entry(key, in: call, salt)
    guard condition.allows(current) else { throw StoreError.conflict(current: current) }
  }

  /// Does something for each of several, and says how many are done where one cannot be.
  private func each<Element, Answer>(
    _ elements: [Element], _ body: (Element) async throws -> Answer
  ) async throws -> [Answer] {
    var answers: [Answer] = []
    for element in elements {
      do {
        answers.append(try await body(element))
      } catch  where !answers.isEmpty {
        let before =
          answers.count == 1 ? "one entry was changed" : "\(answers.count) entries were changed"
        throw StoreError.failed(
          "\(StoreError(keychain: error, at: location).message); \(before) before it")
      }
    }
    return answers
  }

  private func future<Value: Sendable>(
    _ body: @escaping @Sendable (KeychainEntrySource) async throws -> Value
  ) -> Future<Value> {
    Future {
      do {
        return try await body(self)
      } catch let error as KeychainError {
        throw StoreError(keychain: error, at: self.location)
      }
    }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (KeychainEntrySource) async throws -> Value
  ) -> Future<Value> {
    if isReadOnly {
      return Future(StoreError.readOnly("\(location) was opened read-only; nothing was written"))
    }
    return future(body)
  }
}

extension StoredValue {
  /// The value that a secret is: text where it is UTF-8, else data.
  fileprivate init(secret bytes: UnsafeRawBufferPointer) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data([UInt8](bytes))
  }

  fileprivate func secretBytes(for key: EntryKey) throws(StoreError) -> Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .malformedText(let bytes), .data(let bytes): Data(bytes)
    default:
      throw .notSupported(
        "a keychain keeps texts and data, and \(key.spoken) was to be \(type.rawValue); nothing "
          + "was written")
    }
  }
}

extension EntryKey {
  /// The key as the keychain has it; nil where it can have no such key.
  fileprivate var secretKey: String? {
    guard case .text(let text) = self, !text.utf8.contains(0) else { return nil }
    return text
  }

  fileprivate func secretKeyToWrite() throws(StoreError) -> String {
    guard let secretKey else {
      throw .notSupported(
        "the keys of a keychain are texts without a NUL, and \(spoken) is none; nothing was "
          + "written")
    }
    return secretKey
  }
}
#endif
