import Harmony

extension SQLiteEntryTable {
  /// Checks that the description is valid, before the database is opened.
  ///
  /// - Throws: ``Harmony/CoreError/IllegalArgument``.
  func check() throws {
    let columns = [keyColumn, valueColumn, countColumn].compactMap { $0 }
    guard !([name] + columns).contains(where: { $0.utf8.contains(0) }) else {
      throw CoreError.IllegalArgument.zeroByte(inNamesOf: name)
    }
    guard Set(columns.map(Self.folded)).count == columns.count else {
      throw CoreError.IllegalArgument.sharedColumn(name)
    }
  }

  /// Returns a column name in the form that SQLite compares, ignoring ASCII case.
  static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }
}
