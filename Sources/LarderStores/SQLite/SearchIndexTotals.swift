import HarmonySQLite

/// How much the indexes for full-text search of a database hold: their numbers of rows and of words.
///
/// What two changes make of them adds up to nothing where the second takes the first back, whatever
/// others have changed in between.
struct SearchIndexTotals {
  private var totals: [String: [Int64]] = [:]

  /// Reads the numbers that the modules themselves keep, of each index that has them.
  ///
  /// - Throws: ``SQLiteError`` where the schema cannot be read.
  init(_ session: SQLiteSession) throws(SQLiteError) {
    let tables = try session.rows(
      "SELECT v.name, s.name = v.name || '_data' FROM pragma_table_list AS v "
        + "JOIN pragma_table_list AS s ON s.schema = 'main' AND s.type = 'shadow' "
        + "AND s.name IN (v.name || '_data', v.name || '_stat') "
        + "WHERE v.schema = 'main' AND v.type = 'virtual'")
    guard !tables.isEmpty else { return }
    // The modules write what they have in memory before a savepoint begins.
    try session.run("SAVEPOINT larder_totals")
    try session.run("RELEASE larder_totals")
    for row in tables {
      guard case .text(let name) = row[0] else { continue }
      let isFive = row[1] == .integer(1)
      let table = SQLiteIdentifier.quoted(name + (isFive ? "_data" : "_stat"))
      let sql =
        isFive
        ? "SELECT block FROM main.\(table) WHERE id = 1"
        : "SELECT value FROM main.\(table) WHERE id = 0"
      // Other modules have tables of such names, too.
      guard let found = try? session.rows(sql), case .blob(let bytes)? = found.first?.first
      else { continue }
      totals[name] = isFive ? Self.bigEndian(bytes) : Self.littleEndian(bytes)
    }
  }

  /// What became of some of them since they were others; without those that had no numbers yet.
  func changes(since before: SearchIndexTotals, of names: Set<String>) -> [String: [Int64]] {
    var changes: [String: [Int64]] = [:]
    for name in names {
      guard let old = before.totals[name], let new = totals[name], old.count == new.count
      else { continue }
      changes[name] = zip(new, old).map { $0 &- $1 }
    }
    return changes
  }

  /// Whether two changes add up to another index than there was.
  static func differ(_ first: [Int64]?, _ second: [Int64]?) -> Bool {
    guard let first, let second, first.count == second.count else { return false }
    return zip(first, second).contains { $0 &+ $1 != 0 }
  }

  /// The numbers that FTS5 has written, seven bits a byte, the greatest first.
  private static func bigEndian(_ bytes: [UInt8]) -> [Int64] {
    var numbers: [Int64] = []
    var number: UInt64 = 0
    var length = 0
    for byte in bytes {
      length += 1
      if length == 9 {
        numbers.append(Int64(bitPattern: number << 8 | UInt64(byte)))
      } else {
        number = number << 7 | UInt64(byte & 0x7F)
        guard byte < 0x80 else { continue }
        numbers.append(Int64(bitPattern: number))
      }
      (number, length) = (0, 0)
    }
    return numbers
  }

  /// The numbers that FTS4 has written, seven bits a byte, the least first.
  private static func littleEndian(_ bytes: [UInt8]) -> [Int64] {
    var numbers: [Int64] = []
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 || shift > 63 else { continue }
      numbers.append(Int64(bitPattern: number))
      (number, shift) = (0, 0)
    }
    return numbers
  }
}
