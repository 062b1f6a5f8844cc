import HarmonySQLite
import LarderModel

extension TableLens {
  /// Returns the other columns that change along with some: a new value is stored as it is, neither
  /// pickled nor in a file.
  func besides(_ changed: [StoredValue.Field]) -> [StoredValue.Field] {
    guard changed.contains(where: { $0.name == plainValue.column }) else { return [] }
    return plainValue.others
      .filter { name, _ in !changed.contains { $0.name == name } }
      .map { StoredValue.Field($0.key, StoredValue($0.value)) }
  }

  /// Refuses to change a key to bytes or from bytes, as the program may have pickled it, which
  /// another column records.
  ///
  /// - Parameters:
  ///   - key: The new key of a row.
  ///   - former: The old key; nil for a new row.
  /// - Throws: ``StoreError/notSupported(_:)``.
  func check(_ key: EntryKey, inPlaceOf former: EntryKey?) throws(StoreError) {
    func isBytes(_ key: EntryKey?) -> Bool { if case .bytes? = key { true } else { false } }
    guard isBytes(key) != isBytes(former) else { return }
    throw .notSupported(
      "\(program) stores keys other than text and numbers in a form of its own, so that larder gives no "
        + "row such a key, nor another key to one that has it; nothing was written")
  }
}

extension RowWriter {
  /// Refuses a value in a file that does not exist here or belongs to another row.
  func checkFile(of key: EntryKey, _ fields: [StoredValue.Field]) throws {
    guard let files = layout.lens?.files,
      case .text(let path)? = fields.first(where: { $0.name == files.column })?.value
    else { return }
    let column = "t." + SQLiteIdentifier.quoted(files.column)
    let others = try session.rows(
      "SELECT 1 FROM \(layout.target) WHERE \(column) = ? AND NOT (\(layout.keyCondition)) LIMIT 1",
      [.text(path)] + layout.values(of: key))
    guard others.isEmpty else {
      throw StoreError.notSupported(
        "the value of \(key.spoken) would be in the file \(path), which is that of another entry; nothing "
          + "was written. Copy it with the program that made the cache")
    }
    guard let database = try session.path, files.isPath(path),
      try ValueFolder(of: database).holds(path)
    else {
      throw StoreError.notSupported(
        "the value of \(key.spoken) is in the file \(path), which is not beside this database and does not "
          + "come along; nothing was written. Leave the entry out")
    }
  }
}
