import Harmony
import HarmonySQLite
import LarderModel

// The sentences about queries. Each starts in lower case and has no final full stop.

extension CoreError.NotFound {
  static func key(_ key: EntryKey) -> Self { Self("no entry has the key \(key.spoken)") }
}

extension StoreError {
  static let slowExpression = StoreError.failed(
    "the regular expression takes too much time or memory")

  static func notExpression(_ text: String) -> Self {
    .failed("\"\(text)\" is not a regular expression")
  }

  static func noRoom(_ error: SQLiteError) -> Self {
    .failed("the folder for temporary files has no room for all keys: \(error.message)")
  }

  static func noneAfter(_ key: EntryKey, by order: EntryOrder) -> Self {
    .notFound("there is no \(key.spoken), after which the next page by \(order.field.title) starts")
  }
}
