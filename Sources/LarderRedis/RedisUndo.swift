import Foundation
import LarderModel
import LarderStoreBase

/// Undo for a server: entries are restored exactly as they were, whatever their type, with their
/// expiry.
struct RedisUndo: RemoteUndo {
  var recordsChanges: Bool { true }

  var restoresExactly: Bool { true }

  func asKept(_ value: StoredValue, form: String?) -> StoredValue {
    RedisType(value, RedisForm(form), over: nil)?.stored(value) ?? value
  }

  func expiries(in record: [UInt8]?, isUndone: Bool) -> [EntryKey: Date]? {
    guard let record = record.flatMap(RedisRecord.init(encoded:)) else { return [:] }
    var expiries: [EntryKey: Date] = [:]
    for (key, dump) in record.dumps {
      let expiry = isUndone ? dump.expiry : dump.expiryLeft
      expiries[key.entryKey] = expiry.map { Date(redisMilliseconds: $0) }
    }
    return expiries
  }
}
