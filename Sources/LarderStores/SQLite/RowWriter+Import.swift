import HarmonySQLite
import LarderCore

extension RowWriter {
  /// Writes the entries of a stream, in the transaction of the caller.
  ///
  /// - Returns: How many entries were written.
  func take(_ query: ImportQuery) throws -> Int {
    // Rows may name others that come later, of the same table.
    try session.run("PRAGMA defer_foreign_keys = ON")
    var count = 0
    while let entries = try query.next() {
      for entry in entries {
        let value = try Entry.valueToWrite(entry)
        let current = try reader.read(entry.key, session)
        guard let condition = try query.condition(value, over: current) else { continue }
        _ = try put(value, WriteRequest(entry.key, condition))
        count += 1
      }
    }
    return count
  }
}

extension ImportQuery {
  /// What the store has to hold for an entry to be written; nil where it need not be.
  ///
  /// - Throws: ``StoreError/conflict(current:)`` where the store holds another value that stays.
  func condition(
    _ value: StoredValue, over current: Entry?
  ) throws(StoreError) -> WriteRequest.Condition? {
    guard let current else { return .nothing }
    if current.value == value { return nil }
    guard replaces, let fingerprint = current.fingerprint else { throw .conflict(current: current) }
    return .unchanged(fingerprint)
  }
}
