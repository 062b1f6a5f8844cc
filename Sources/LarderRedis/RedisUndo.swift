import Harmony
import HarmonyRedis
import LarderModel

/// Undo for a server: entries are restored exactly as they were, whatever their type, with their
/// expiry.
struct RedisUndo: UndoSupport {
  var recordsChanges: Bool { true }

  func isUnreached(_ error: any Error) -> Bool {
    if case StoreError.cannotOpen = error { true } else { false }
  }

  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {
    // Between two nodes, the new key is written before the old one is deleted.
    try await source.delete(EntryQuery(newKey, expecting: fingerprint)).get()
  }
}

/// The version of a server, which decides whether it understands entries of another one.
struct RedisVersion: Comparable {
  let numbers: [Int]

  /// Parses a version such as 7.0.15.
  init?(_ text: String) {
    let parts = text.split(separator: ".").map { Int($0) }
    numbers = parts.compactMap(\.self)
    guard !parts.isEmpty, numbers.count == parts.count else { return nil }
  }

  var text: String { numbers.map(String.init).joined(separator: ".") }

  static func < (left: Self, right: Self) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}

/// The entries before a change, as stored in the journal.
struct RedisRecord {
  /// The version of the server that dumped them; nil if it is not known.
  let version: RedisVersion?
  let dumps: [RedisArgument: RedisDump]

  init(version: RedisVersion?, dumps: [RedisArgument: RedisDump]) {
    self.version = version
    self.dumps = dumps
  }

  /// The record in bytes.
  var encoded: [UInt8] {
    EntryCoding.encode(
      .array(
        [.text(version?.text ?? "")]
          + dumps.map { key, dump in
            .array([
              .data(key.bytes), .text(dump.type?.rawValue ?? ""), .integer(dump.expiry ?? 0),
              .data(dump.bytes), .integer(dump.newExpiry?.recorded ?? 0),
            ])
          }))
  }

  /// Decodes a record; returns nil for other bytes.
  init?(encoded: [UInt8]) {
    guard case .array(let values)? = EntryCoding.value(encoded),
      case .text(let text)? = values.first
    else { return nil }
    version = RedisVersion(text)
    var dumps: [RedisArgument: RedisDump] = [:]
    for value in values.dropFirst() {
      guard case .array(let parts) = value, parts.count == 5, case .data(let key) = parts[0],
        case .text(let type) = parts[1], case .integer(let expiry) = parts[2],
        case .data(let bytes) = parts[3], case .integer(let newExpiry) = parts[4]
      else { return nil }
      dumps[RedisArgument(key)] = RedisDump(
        type: RedisType(rawValue: type), expiry: expiry == 0 ? nil : expiry, bytes: bytes,
        newExpiry: RedisForm.Expiry(recorded: newExpiry))
    }
    self.dumps = dumps
  }
}

extension RedisForm.Expiry {
  /// The number that stands for the expiry in a record; 0 stands for none.
  fileprivate var recorded: Int64 {
    switch self {
    case .never: -1
    case .at(let milliseconds): max(milliseconds, 1)
    }
  }

  fileprivate init?(recorded number: Int64) {
    if number == 0 { return nil }
    self = number < 0 ? .never : .at(milliseconds: number)
  }
}
