#if Keychain
import Foundation
import Harmony
import HarmonyKeychain
import LarderModel
import LarderStoreBase

/// A data source for the keys and secrets of one keychain service.
///
/// A page contains keys and modification dates, but no secrets unless values are requested. Each
/// write compares and writes in one call, so that it is atomic within this process; another process
/// may write in between, as a keychain has no compare-and-swap. Several changes are made one by
/// one.
final class KeychainEntrySource: CallingSource, EntryCalls {
  private let keychain: KeychainService
  private let location: StoreLocation
  private let isReadOnly: Bool
  private let salt: SecretSalt

  /// The number of secrets to read per call, as each call has a time limit.
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

  // MARK: Reading

  /// Returns all keys in order, with their modification dates.
  private func listed() async throws -> [Entry] {
    try await keychain.items().getCancelling()
      .map { Entry(key: .text($0.key), modified: $0.modified) }
  }

  func count(_ query: CountQuery) async throws -> Entry {
    try OrderedPage(try await listed()).count(query)
  }

  func page(_ query: EntryPageQuery) async throws -> [Entry] {
    try query.checkOrder(.modified)
    if query.filter?.field == .values {
      throw StoreError.secretsNotSearched
    }
    let page = try OrderedPage(try await listed()).page(query)
    guard query.detail == .values else { return page }
    var entries: [Entry] = []
    for start in stride(from: 0, to: page.count, by: Self.batch) {
      let keys = page[start..<min(start + Self.batch, page.count)].compactMap(\.key.secretKey)
      let salt = salt
      entries += try await keychain.perform(keys) { call in
        // Skip entries that were deleted since the keys were listed.
        try keys.compactMap { try Self.entry($0, in: call, salt) }
      }.getCancelling()
    }
    return entries
  }

  func read(_ key: EntryKey) async throws -> Entry {
    let name = try key.secretKey.found(key)
    let salt = salt
    return try await keychain.perform([name]) { try Self.entry(name, in: $0, salt) }
      .getCancelling().found(key)
  }

  /// Returns the complete entry of a key, with a fingerprint that reveals nothing about its secret.
  private static func entry(
    _ key: String, in call: KeychainCall, _ salt: SecretSalt
  ) throws -> Entry? {
    guard let value = try call.read(key, { StoredValue(secret: $0) }) else { return nil }
    var entry = Entry(key: .text(key), value: value, modified: try call.item(key)?.modified)
    entry.fingerprint = salt.fingerprint(of: value)
    return entry
  }

  // MARK: Writing

  func put(
    _ value: StoredValue, form: String?, _ request: WriteRequest
  ) async throws -> Entry {
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

  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws {
    _ = try await remove(key, condition)
  }

  /// Deletes an entry, and returns whether there was one.
  private func remove(
    _ key: EntryKey, _ condition: WriteRequest.Condition
  ) async throws -> Bool {
    guard let name = key.secretKey else {
      if case .unchanged = condition { throw StoreError.conflict(current: nil) }
      return false
    }
    let salt = salt
    return try await keychain.perform([name], isWrite: true) { call in
      try Self.check(name, condition, in: call, salt)
      return try call.remove(name)
    }.getCancelling()
  }

  func delete(below prefix: String, _ scan: Scan?) async throws {
    let entries = try await listed().filter { $0.key.hasPrefix(prefix) }
    var count = 0
    defer { scan?.reportDeleted(count) }
    for entry in entries {
      try scan?.reportChanged(count)
      let wasPresent = try await afterOthers(count) { try await remove(entry.key, .anything) }
      count += wasPresent ? 1 : 0
    }
  }

  func rename(_ rename: RenameQuery) async throws -> Entry {
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

  func make(_ query: ChangesQuery) async throws -> [Entry] {
    // Check all changes first, so that none is made if one is certain to fail.
    for change in query.changes {
      guard let value = change.value else { continue }
      try await query.scan.blaming(change.key) {
        _ = try change.key.secretKeyToWrite()
        var bytes = try value.secretBytes(for: change.key)
        bytes.wipe()
      }
    }
    return try await makeInOrder(query)
  }

  private static func check(
    _ key: String, _ condition: WriteRequest.Condition, in call: KeychainCall, _ salt: SecretSalt
  ) throws {
    if case .anything = condition { return }
    let current = try entry(key, in: call, salt)
    guard condition.allows(current) else { throw StoreError.conflict(current: current) }
  }

  func afterOthers<Value>(
    _ count: Int, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch  where count > 0 {
      let message = StoreError(keychain: error, at: location).message
      throw StoreError.failed(Messages.message(message, after: count))
    }
  }

  func future<Value: Sendable>(
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

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (KeychainEntrySource) async throws -> Value
  ) -> Future<Value> {
    if isReadOnly {
      return Future(StoreError.openedReadOnly(location.description))
    }
    return future(body)
  }
}

extension StoredValue {
  /// Creates the value for a secret: a string if it is valid UTF-8, and data otherwise.
  fileprivate init(secret bytes: UnsafeRawBufferPointer) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data([UInt8](bytes))
  }

  fileprivate func secretBytes(for key: EntryKey) throws(StoreError) -> Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .malformedText(let bytes), .data(let bytes): Data(bytes)
    default:
      throw .notSecret(key, type)
    }
  }
}

extension EntryKey {
  /// The key as the keychain stores it, or nil if it is not valid there.
  fileprivate var secretKey: String? {
    guard case .text(let text) = self, !text.utf8.contains(0) else { return nil }
    return text
  }

  fileprivate func secretKeyToWrite() throws(StoreError) -> String {
    guard let secretKey else {
      throw .notSecretKey(self)
    }
    return secretKey
  }
}
#endif
