import HarmonySQLite
package import LarderModel

/// The keys of a stream so far and their lines, in memory that does not grow with their number.
///
/// Some are known at once, and the others are in a file without a name, where one that came twice is
/// found at the end. Two keys are taken for one if 128 bits, which nobody can foresee, are the same.
package struct SeenKeys {
  private struct Mark: Hashable {
    let left: Int
    let right: Int

    init(_ key: EntryKey) {
      var hasher = Hasher()
      hasher.combine(key)
      left = hasher.finalize()
      var other = Hasher()
      other.combine(left)
      other.combine(key)
      right = other.finalize()
    }
  }

  private let maximumCount: Int
  private var lines: [Mark: Int] = [:]
  private var scratch: SQLiteScratch?

  /// Prepares for keys.
  ///
  /// - Parameter inMemory: How many are known at once.
  package init(inMemory: Int = 390_000) {
    maximumCount = inMemory
  }

  /// Adds the key of a line; false where it is known to have been there.
  ///
  /// - Throws: ``StoreError`` where there is no room for it.
  package mutating func insert(_ key: EntryKey, line: Int) throws(StoreError) -> Bool {
    let mark = Mark(key)
    guard lines[mark] == nil else { return false }
    lines[mark] = line
    if lines.count > maximumCount { try moveOut() }
    return true
  }

  /// The first line whose key was there before, and the line where it was; nil where all keys differ.
  ///
  /// - Throws: ``StoreError`` where the temporary files cannot be read.
  package mutating func repetition() throws(StoreError) -> (line: Int, former: Int)? {
    guard scratch != nil else { return nil }
    try moveOut()
    return try explaining { scratch throws(SQLiteError) in
      let rows = try scratch.session.rows(
        "SELECT min(line), max(line) FROM k GROUP BY a, b HAVING count(*) > 1 "
          + "ORDER BY max(line) LIMIT 1")
      guard case .integer(let former)? = rows.first?.first,
        case .integer(let line)? = rows.first?.last
      else { return nil }
      return (Int(line), Int(former))
    }
  }

  /// The line of a key, nil where it was not there.
  package func line(of key: EntryKey) -> Int? {
    let mark = Mark(key)
    if let line = lines[mark] { return line }
    let rows = try? scratch?.session.rows(
      "SELECT line FROM k WHERE a = ? AND b = ? LIMIT 1",
      [.integer(Int64(mark.left)), .integer(Int64(mark.right))])
    guard case .integer(let line)?? = rows?.first?.first else { return nil }
    return Int(line)
  }

  /// Puts what is in memory into the file.
  private mutating func moveOut() throws(StoreError) {
    let lines = lines
    self.lines.removeAll(keepingCapacity: true)
    try explaining { scratch throws(SQLiteError) in
      for (mark, line) in lines {
        try scratch.session.run(
          "INSERT INTO k VALUES(?, ?, ?)",
          [.integer(Int64(mark.left)), .integer(Int64(mark.right)), .integer(Int64(line))])
      }
    }
  }

  private mutating func explaining<Result>(
    _ body: (SQLiteScratch) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      // `??` would forget the type of its error.
      if let scratch { return try body(scratch) }
      let made = try SQLiteScratch("CREATE TABLE k(a INTEGER, b INTEGER, line INTEGER)")
      scratch = made
      return try body(made)
    } catch {
      throw .failed(
        "the temporary files have no room for all keys, which are compared there: \(error.message)")
    }
  }
}
