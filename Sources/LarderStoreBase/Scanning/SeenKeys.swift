import HarmonySQLite
package import LarderModel

/// The keys that have occurred in a stream, with their lines, in bounded memory.
///
/// Some keys are in memory, where a repetition is found immediately. The others are in an unnamed
/// temporary file, where repetitions are found at the end. Keys are considered equal if their
/// 128-bit hashes, which are randomly seeded, are equal.
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

  /// Creates an empty set.
  ///
  /// - Parameter inMemory: The maximum number of keys in memory.
  package init(inMemory: Int = 390_000) {
    maximumCount = inMemory
  }

  /// Adds the key of a line, or returns false if it is already in memory.
  ///
  /// - Throws: ``StoreError`` if there is no space for it.
  package mutating func insert(_ key: EntryKey, line: Int) throws(StoreError) -> Bool {
    let mark = Mark(key)
    guard lines[mark] == nil else { return false }
    lines[mark] = line
    if lines.count > maximumCount { try moveOut() }
    return true
  }

  /// Returns the first line with a repeated key, and the line of its previous occurrence, or nil if
  /// all keys differ.
  ///
  /// - Throws: ``StoreError`` if the temporary file cannot be read.
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

  /// Returns the line of a key, or nil if it has not occurred.
  package func line(of key: EntryKey) -> Int? {
    let mark = Mark(key)
    if let line = lines[mark] { return line }
    let rows = try? scratch?.session.rows(
      "SELECT line FROM k WHERE a = ? AND b = ? LIMIT 1",
      [.integer(Int64(mark.left)), .integer(Int64(mark.right))])
    guard case .integer(let line)?? = rows?.first?.first else { return nil }
    return Int(line)
  }

  /// Moves the keys in memory to the temporary file.
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
      // `??` would lose the type of the thrown error.
      if let scratch { return try body(scratch) }
      let made = try SQLiteScratch("CREATE TABLE k(a INTEGER, b INTEGER, line INTEGER)")
      scratch = made
      return try body(made)
    } catch {
      throw .noRoom(error)
    }
  }
}
