import HarmonySQLite
import LarderModel

extension RowWriter {
  /// Writes the entries of a stream, in the transaction of the caller.
  ///
  /// - Returns: How many entries were written.
  func take(_ query: ImportQuery) throws -> Int {
    // Rows may name others that come later, of the same table.
    try session.run("PRAGMA defer_foreign_keys = ON")
    var writer = self
    writer.isImport = true
    var count = 0
    while let entries = try query.next() {
      for var entry in entries {
        let value = try layout.value(
          Entry.valueToWrite(entry), counting: entry.expires, session)
        entry.value = value
        let current = try reader.read(entry.key, session)
        let change = try entry.importChange(over: current, replaces: query.replaces)
        guard let change else { continue }
        _ = try writer.put(value, WriteRequest(change))
        count += 1
      }
    }
    return count
  }
}
