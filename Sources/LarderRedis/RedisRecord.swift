import HarmonyRedis
import LarderModel

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

/// An entry before a change, as `DUMP` has returned it, to be restored exactly.
struct RedisDump {
  var type: RedisType?
  /// The expiry in milliseconds since 1970; nil for none.
  var expiry: Int64?
  /// The serialized value, which ends with the version of its format; empty if there was none, or
  /// it is not needed.
  var bytes: [UInt8] = []
  /// The expiry that the recorded change sets; nil if it keeps the old one.
  var newExpiry: RedisForm.Expiry?

  /// The difference of two expiries in milliseconds that is due to reading the time left.
  private static let tolerance: Int64 = 1_000

  /// Returns the command that replaces a key; nil if the entry would have expired by now anyway.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - old: The current entry; nil if there is none.
  ///   - now: The time in milliseconds since 1970.
  /// - Returns: The command.
  /// - Throws: ``StoreError`` if the current entry would be lost, as the other one has expired.
  func restoring(
    _ key: RedisArgument, over old: RedisEntry?, now: Int64 = .millisecondsNow
  ) throws(StoreError) -> RedisCommand? {
    var restored = expiry
    // An expiry that another program has set since then is kept.
    if let old, !isExpected(old.expiry) { restored = old.expiry }
    if let restored, restored <= now {
      guard old == nil else { throw .expiredSince(key.entryKey) }
      return nil
    }
    return RedisCommand(
      [
        "RESTORE", key, RedisArgument(restored ?? 0), RedisArgument(bytes), "REPLACE", "ABSTTL",
      ], key: key, isWrite: true)
  }

  /// The expiry that the recorded change left, in milliseconds since 1970; nil for none.
  var expiryLeft: Int64? {
    switch newExpiry {
    case nil: expiry
    case .never: nil
    case .at(let milliseconds): milliseconds
    }
  }

  /// Whether the expiry, which the recorded change keeps, has passed.
  var isExpired: Bool { newExpiry == nil && expiry.map { $0 <= .millisecondsNow } ?? false }

  /// Whether an entry with the given expiry has the one that the recorded change left.
  private func isExpected(_ current: Int64?) -> Bool {
    guard let left = expiryLeft, let current else { return expiryLeft == current }
    return left.subtractingReportingOverflow(current).partialValue.magnitude <= Self.tolerance
  }
}
