import HarmonySQLite

/// A random number generator with the same sequence for the same seed on all platforms.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &self) < part
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}

/// A random database generated from a seed, with tables, rows, references and triggers.
struct RandomSchema {
  /// A random table.
  struct Table {
    let name: String
    /// The columns of the key, with their types; empty if rows have only a rowid.
    let key: [(name: String, type: String)]
    /// The writable columns, with their types.
    let columns: [(name: String, type: String)]
    let hasRowid: Bool
    /// The indexes of referenced tables by column name.
    let references: [String: Int]
  }

  private(set) var tables: [Table] = []
  private(set) var script = ""
  /// Whether triggers may change written rows or make other changes.
  private(set) var hasTriggers = false

  private static let types = ["", "INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "VARCHAR(9)"]
  private static let actions = ["CASCADE", "SET NULL", "NO ACTION", "RESTRICT", "SET DEFAULT"]

  init(_ numbers: inout SeededNumbers) {
    for index in 0..<Int.random(in: 1...3, using: &numbers) { addTable(index, &numbers) }
    for table in tables {
      for _ in 0..<Int.random(in: 0...5, using: &numbers) { addRow(table, &numbers) }
    }
    if numbers.chance(2, of: 5) { addTriggers(&numbers) }
  }

  private mutating func addTable(_ index: Int, _ numbers: inout SeededNumbers) {
    let name = "t\(index)"
    var parts: [String] = []
    var key: [(name: String, type: String)] = []
    var ending = ""
    var constraint: String?
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0:
      key = [("id", "INTEGER")]
      parts.append("id INTEGER PRIMARY KEY")
    case 1:
      key = [("id", "INTEGER")]
      parts.append("id INTEGER PRIMARY KEY AUTOINCREMENT")
    case 2:
      key = [("id", "TEXT")]
      parts.append("id TEXT PRIMARY KEY NOT NULL")
    case 3:
      key = [("id", "TEXT")]
      parts.append("id TEXT PRIMARY KEY COLLATE NOCASE")
      ending = " WITHOUT ROWID"
    case 4:
      key = [("a", "TEXT"), ("b", "INTEGER")]
      parts += ["a TEXT NOT NULL", "b INTEGER NOT NULL"]
      constraint = "PRIMARY KEY(a, b)"
      if numbers.chance(1, of: 2) { ending = " WITHOUT ROWID" }
    case 5:
      key = [("key", "TEXT")]
      parts.append("key TEXT UNIQUE NOT NULL")
    default: break
    }
    var columns: [(name: String, type: String)] = []
    var references: [String: Int] = [:]
    let count = key.first?.name == "key" ? 1 : Int.random(in: 1...4, using: &numbers)
    for place in 0..<count {
      let column = key.first?.name == "key" ? "value" : "c\(place)"
      let targets = tables.indices.filter { tables[$0].key.count == 1 }
      if count > 1, numbers.chance(1, of: 3), let target = numbers.pick(targets) {
        let action = numbers.pick(Self.actions) ?? "CASCADE"
        let update = numbers.pick(Self.actions) ?? "CASCADE"
        let parent = tables[target]
        let type = parent.key[0].type
        parts.append(
          "\(column) \(type) REFERENCES \(parent.name)(\(parent.key[0].name)) "
            + "ON DELETE \(action) ON UPDATE \(update)")
        references[column] = target
        columns.append((column, type))
        continue
      }
      let type = numbers.pick(Self.types) ?? ""
      let more = numbers.pick(["", "", "", " DEFAULT 7", " DEFAULT 'd'", " COLLATE NOCASE"]) ?? ""
      parts.append("\(column) \(type)\(more)")
      columns.append((column, type))
    }
    if count > 1, numbers.chance(1, of: 4), let column = columns.last?.name {
      let storage = numbers.chance(1, of: 2) ? "STORED" : "VIRTUAL"
      parts.append("g AS (quote(\(column)) || '!') \(storage)")
    }
    if let constraint { parts.append(constraint) }
    script += "CREATE TABLE \(name)(\(parts.joined(separator: ", ")))\(ending);\n"
    if numbers.chance(1, of: 2), let column = numbers.pick(columns)?.name {
      let index = [
        "INDEX i\(index) ON \(name)(\(column)) WHERE \(column) IS NOT NULL",
        "UNIQUE INDEX i\(index) ON \(name)(\(column)) WHERE \(column) > 4",
        "INDEX i\(index) ON \(name)(typeof(\(column)), length(\(column)) DESC)",
        "UNIQUE INDEX i\(index) ON \(name)(quote(\(column))) WHERE typeof(\(column)) = 'text'",
      ]
      script += "CREATE \(numbers.pick(index) ?? index[0]);\n"
    }
    tables.append(
      Table(
        name: name, key: key, columns: columns, hasRowid: ending.isEmpty, references: references))
  }

  private mutating func addRow(_ table: Table, _ numbers: inout SeededNumbers) {
    var names = table.key.map(\.name)
    var values = table.key.map { keyPart($0.type, &numbers) }
    for column in table.columns {
      names.append(column.name)
      values.append(
        table.references[column.name] == nil ? value(column.type, &numbers) : .null)
    }
    let literals = values.map(Self.literal)
    script +=
      "INSERT OR IGNORE INTO \(table.name)(\(names.joined(separator: ", "))) "
      + "VALUES(\(literals.joined(separator: ", ")));\n"
  }

  private mutating func addTriggers(_ numbers: inout SeededNumbers) {
    script += "CREATE TABLE log(n INTEGER PRIMARY KEY, what);\n"
    for index in 0..<Int.random(in: 1...3, using: &numbers) {
      guard let table = numbers.pick(tables), let other = numbers.pick(tables) else { continue }
      let event = numbers.pick(["INSERT", "UPDATE", "DELETE"]) ?? "UPDATE"
      let row = event == "DELETE" ? "old" : "new"
      let column = table.columns[0].name
      let target = other.columns[0].name
      let bodies = [
        "INSERT INTO log(what) VALUES(quote(\(row).\(column)));",
        "UPDATE log SET what = 'seen' WHERE n % 2 = 0;",
        "DELETE FROM log WHERE n = (SELECT min(n) FROM log);",
        other.references.isEmpty
          ? "UPDATE \(other.name) SET \(target) = x'01' WHERE typeof(\(target)) = 'null';"
          : "INSERT INTO log(what) VALUES('other');",
      ]
      script +=
        "CREATE TRIGGER r\(index) AFTER \(event) ON \(table.name) BEGIN "
        + "\(numbers.pick(bodies) ?? bodies[0]) END;\n"
      hasTriggers = true
    }
  }

  /// Returns a random part of a key, from a small set so that keys collide.
  func keyPart(_ type: String, _ numbers: inout SeededNumbers) -> SQLiteValue {
    if type == "INTEGER" { return .integer(.random(in: 1...12, using: &numbers)) }
    return .text(numbers.pick(["a", "ab", "abc", "b", "B", "é", "x 1", "", "zz"]) ?? "")
  }

  /// Returns a random value that a column of the type stores without conversion.
  func value(_ type: String, _ numbers: inout SeededNumbers) -> SQLiteValue {
    let any: [SQLiteValue] = [.null, .blob([0, 255]), .blob([]), .text("text")]
    let integers: [SQLiteValue] = [.integer(0), .integer(-5), .integer(.max)]
    let reals: [SQLiteValue] = [.real(1.5), .real(0.1234567890123456789), .real(1e300)]
    let values =
      switch type {
      case "INTEGER", "NUMERIC": any + integers + [.real(2.5)]
      case "TEXT", "VARCHAR(9)": any + [.text("12"), .text("1.50"), .text("é")]
      case "REAL": any + reals + [.real(3)]
      default: any + integers + reals + [.text("12"), .real(4)]
      }
    return numbers.pick(values) ?? .null
  }

  private static func literal(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .malformedText(let bytes), .blob(let bytes):
      "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
