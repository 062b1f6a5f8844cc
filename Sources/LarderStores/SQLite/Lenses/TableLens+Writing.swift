import HarmonySQLite
import LarderModel
import LarderStoreBase

extension TableLens {
  /// Returns the other columns that change along with some: a new value is stored as it is, neither
  /// pickled, encrypted nor in a file, and flags follow the expiry.
  func besides(_ changed: [StoredValue.Field]) -> [StoredValue.Field] {
    var others: [String: StoredValue] = [:]
    if let plainValue, changed.contains(where: { $0.name == plainValue.column }) {
      others = plainValue.others.mapValues { StoredValue($0) }
    }
    if let expiry, let moment = changed.first(where: { $0.name == expiry.column })?.value {
      let never = expiry.never.map { StoredValue($0) } ?? .null
      for flag in expiry.flags { others[flag] = .integer(moment == never ? 0 : 1) }
    }
    return others.filter { name, _ in !changed.contains { $0.name == name } }
      .map { StoredValue.Field($0.key, $0.value) }
  }

  /// Refuses anything but bytes in a column that only the program can fill, and a row with both an
  /// encrypted value and one that is not.
  ///
  /// - Parameters:
  ///   - fields: The columns that are written.
  ///   - current: The row before; nil for a new row.
  /// - Throws: ``StoreError/notSupported(_:)``.
  func check(
    _ fields: [StoredValue.Field], over current: StoredValue? = nil
  ) throws(StoreError) {
    if let encrypted = encrypted?.column, let plain = plainValue?.column,
      fields.contains(where: { $0.name == encrypted || $0.name == plain }),
      [encrypted, plain].allSatisfy({ name in
        let value = fields.first { $0.name == name }?.value ?? current?.field(name)
        return value.map(Self.isEmpty) == false
      })
    {
      throw .eitherColumn(plain, or: encrypted, program)
    }
    for field in fields where fixed.contains(field.name) {
      throw .derivedColumns(field.name, program)
    }
    for field in fields where bytes.contains(field.name) {
      if case .data = field.value { continue }
      throw .programBytes(field.name, of: table, program)
    }
  }

  /// Returns columns with the value as the program stores it.
  ///
  /// - Throws: ``StoreError/notSupported(_:)`` for a value that it could not read.
  func encoded(_ fields: [StoredValue.Field]) throws(StoreError) -> [StoredValue.Field] {
    guard let encode, let column = plainValue?.column,
      let value = fields.first(where: { $0.name == column })?.value
    else { return fields }
    guard let encoded = encode(value) else { throw .notText(column, of: table, value.type) }
    let names = Set(encoded.map(\.name))
    return fields.filter { !names.contains($0.name) } + encoded
  }

  private static func isEmpty(_ value: StoredValue) -> Bool {
    [.null, .text(""), .data([])].contains(value)
  }

  /// Refuses another key for a row whose encrypted value is that of its key.
  ///
  /// - Parameters:
  ///   - entry: The row.
  ///   - key: Its new key.
  ///   - names: The names of the key columns.
  /// - Throws: ``StoreError/notSupported(_:)``.
  func checkEncryption(
    of entry: Entry, renamedTo key: EntryKey, _ names: [String]
  ) throws(StoreError) {
    guard let encrypted, let value = entry.value?.field(encrypted.column), !Self.isEmpty(value),
      let place = names.firstIndex(of: encrypted.key), case .composite(let old) = entry.key,
      case .composite(let new) = key, old.indices.contains(place), new.indices.contains(place),
      old[place] != new[place]
    else { return }
    throw .encrypted(encrypted.column, of: entry.key, for: encrypted.key, program)
  }

  /// Refuses keys in forms that only the program makes.
  ///
  /// Another column may record that it has pickled a key of bytes. A row of several tables has
  /// values that depend on its key.
  ///
  /// - Parameters:
  ///   - key: The new key of a row.
  ///   - former: The old key; nil for a new row.
  /// - Throws: ``StoreError/notSupported(_:)``.
  func check(_ key: EntryKey, inPlaceOf former: EntryKey?) throws(StoreError) {
    guard takesNewRows else { throw .fixedRows(program) }
    func isBytes(_ key: EntryKey?) -> Bool { if case .bytes? = key { true } else { false } }
    guard isBytes(key) != isBytes(former) else { return }
    throw .programKeys(program)
  }
}

extension RowWriter {
  /// Refuses a value in a file that does not exist here or belongs to another row.
  ///
  /// - Parameters:
  ///   - key: The key of the row.
  ///   - fields: The columns that are written.
  ///   - current: The row before; nil for a new row.
  /// - Throws: ``StoreError/notSupported(_:)`` for such a value, and ``SQLiteError``.
  func checkFile(
    of key: EntryKey, _ fields: [StoredValue.Field], over current: Entry? = nil
  ) throws {
    func value(_ name: String) -> StoredValue? {
      fields.first { $0.name == name }?.value ?? current?.field(name, layout)
    }
    guard let files = layout.lens?.files, let column = layout.column(files.column)?.sql,
      fields.contains(where: { $0.name == files.column || $0.name == files.modeColumn }),
      let name = value(files.column), name != .null,
      files.isNamed(mode: value(files.modeColumn))
    else { return }
    let path = files.path(named: name, mode: value(files.modeColumn))
    let others = try session.rows(
      "SELECT 1 FROM \(layout.target) WHERE \(column) = ? AND NOT (\(layout.keyCondition)) LIMIT 1",
      [SQLiteValue(name, column: files.column)] + layout.values(of: key))
    guard others.isEmpty else {
      throw StoreError.sharedFile(path ?? "", of: key)
    }
    guard let database = try session.path, let path,
      try ValueFolder(of: database).holds(path)
    else {
      throw StoreError.missingFile(path ?? name.type.rawValue, of: key)
    }
  }
}
