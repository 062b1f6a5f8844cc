import Harmony
import HarmonySQLite
import LarderModel

// The sentences about queries. Each starts in lower case and has no final full stop.

extension CoreError.NotFound {
  static func key(_ key: EntryKey) -> Self { Self("no entry has the key \(key.spoken)") }
}

extension StoreError {
  static let slowExpression = StoreError.failed(
    "the regular expression needs too much time or memory; simplify it")

  static func notExpression(_ text: String) -> Self {
    .failed("“\(text)” is not a valid regular expression")
  }

  static func noRoom(_ error: SQLiteError) -> Self {
    .failed("the folder for temporary files has no space for sorting the keys: \(error.message)")
  }

  static func noneAfter(_ key: EntryKey, by order: EntryOrder) -> Self {
    .notFound(
      "the next page by \(order.field.title) starts after \(key.spoken), which does not exist")
  }
}
