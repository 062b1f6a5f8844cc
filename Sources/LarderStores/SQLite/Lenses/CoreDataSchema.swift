import HarmonySQLite
import LarderModel

/// The entities of a Core Data store, which SwiftData creates as well, according to its own tables.
///
/// The table of an entity also has the rows of its subentities, as `Z_ENT` tells. The names of
/// tables and columns are those of entities and attributes in capitals after a Z, so the case of an
/// attribute's name is unknown.
struct CoreDataSchema: Sendable {
  /// A column whose values are those of `Z_PK` in another table.
  private struct Relation {
    let table: String
    let column: String
    let target: String
  }

  /// The maximum number of entities above another.
  private static let maximumDepth = 64

  /// The names of root entities by their tables.
  private var roots: [String: String] = [:]
  /// The tables with rows of several entities.
  private var shared: Set<String> = []
  private var relations: [Relation] = []

  /// Reads the entities; nil for another database.
  ///
  /// - Throws: ``SQLiteError`` if the database cannot be read.
  init?(_ session: SQLiteSession) throws(SQLiteError) {
    let own = try session.rows(
      "SELECT (SELECT count(*) FROM pragma_table_info('Z_PRIMARYKEY', 'main') "
        + "WHERE name IN ('Z_ENT', 'Z_NAME', 'Z_SUPER', 'Z_MAX')), "
        + "(SELECT count(*) FROM pragma_table_info('Z_METADATA', 'main') WHERE name = 'Z_PLIST')")
    guard own.first == [.integer(4), .integer(1)] else { return nil }
    let tables = try session.texts("SELECT name FROM main.sqlite_schema WHERE type <> 'index'")
      .map { $0[0] }
    var entities: [Int64: (name: String, parent: Int64)] = [:]
    for row in try session.rows("SELECT Z_ENT, Z_NAME, coalesce(Z_SUPER, 0) FROM main.Z_PRIMARYKEY")
    {
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        case .integer(let parent) = row[2]
      else { continue }
      entities[number] = (name, parent)
    }
    // The tables of entities, by number and by name in capitals; nil if a name is ambiguous.
    var numbers: [Int64: String] = [:]
    var names: [String: String?] = [:]
    for (number, entity) in entities {
      var root = entity
      for _ in 0..<Self.maximumDepth { root = entities[root.parent] ?? root }
      let table = "Z" + root.name.uppercased()
      guard tables.contains(table) else { continue }
      numbers[number] = table
      let capitals = entity.name.uppercased()
      names[capitals] = .some(names[capitals] == nil ? table : nil)
      if roots[table] != nil { shared.insert(table) }
      roots[table] = root.name
    }
    for row in try session.texts(
      "SELECT m.tbl_name, i.name FROM main.sqlite_schema AS m "
        + "JOIN pragma_index_info(m.name, 'main') AS i WHERE m.type = 'index' "
        // Core Data creates such an index for every relation to one row.
        + "AND m.name = m.tbl_name || '_' || i.name || '_INDEX'")
    {
      guard let target = names[String(row[1].dropFirst())] ?? nil else { continue }
      relations.append(Relation(table: row[0], column: row[1], target: target))
    }
    for row in try session.texts(
      "SELECT m.name, c.name FROM main.sqlite_schema AS m "
        + "JOIN pragma_table_info(m.name, 'main') AS c "
        + "WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*' AND c.name GLOB 'Z_[0-9]*'")
    {
      guard let number = Int64(row[1].dropFirst(2).prefix { $0.isNumber }),
        let target = numbers[number]
      else { continue }
      relations.append(Relation(table: row[0], column: row[1], target: target))
    }
    let taken = Set(tables.map { $0.lowercased() })
    for (table, name) in roots where taken.contains(name.lowercased()) { roots[table] = table }
  }

  /// Returns the table of an entity by its name; nil if there is none.
  func table(named entity: String) -> String? { roots.first { $0.value == entity }?.key }

  /// Returns the name of the root entity of a table; nil for another table.
  func entity(of table: String) -> String? { roots[table] }

  /// Returns the lens for the table of an entity, or of a relation of many rows to many; nil for
  /// another table.
  func lens(_ table: String, _ columns: [SchemaRows.Column]) -> TableLens? {
    let relations = relations.filter { $0.table == table }
    var lens = TableLens(
      program: "Core Data", table: table, columns: [], siblings: ["Z_METADATA", "Z_PRIMARYKEY"],
      key: ["Z_PK"])
    lens.isClosed = true
    if roots[table] != nil {
      guard Set(columns.map(\.name)).isSuperset(of: ["Z_PK", "Z_ENT", "Z_OPT"]) else { return nil }
      lens.numbers = ["Z_ENT", "Z_OPT"]
      lens.version = "Z_OPT"
      lens.referrers = self.relations.filter { $0.target == table }.map { ($0.table, $0.column) }
      if shared.contains(table) {
        lens.lookup = (
          "entity", "Z_NAME", TableLayout.Joined(table: "Z_PRIMARYKEY", number: "Z_ENT")
        )
      }
    } else if !relations.isEmpty, relations.count == columns.count {
      // By its rowid, so that both keys are values that lead to their rows.
      lens.key = []
    } else {
      return nil
    }
    lens.shown = Self.shown(columns, besides: lens.lookup?.name)
    lens.title = Self.title(columns, lens.shown)
    let expiries = columns.filter { column in
      switch ColumnRole(lens.shown[column.name] ?? column.name, type: column.type) {
      case .expiry, .lifetime: true
      default: false
      }
    }
    if !expiries.isEmpty, expiries.allSatisfy({ $0.type == "TIMESTAMP" }) {
      lens.momentUnit = .apple
    }
    for relation in relations {
      lens.references[lens.shown[relation.column] ?? relation.column] =
        roots[relation.target] ?? relation.target
    }
    return lens
  }

  /// Returns the names of attributes by their columns; empty if two are the same.
  private static func shown(
    _ columns: [SchemaRows.Column], besides lookup: String?
  ) -> [String: String] {
    var shown: [String: String] = [:]
    for column in columns {
      var name = column.name[...]
      guard name.hasPrefix("Z") else { continue }
      let isNumbered = name.hasPrefix("Z_")
      name = name.dropFirst(isNumbered ? 2 : 1)
      // The columns that Core Data has for itself, such as Z_PK, stay as they are.
      if isNumbered, name.first?.isNumber != true { continue }
      if isNumbered { name = name.drop { $0.isNumber } }
      guard name.first?.isLetter == true else { continue }
      shown[column.name] = name.lowercased()
    }
    let names =
      columns.map { (shown[$0.name] ?? $0.name).lowercased() } + (lookup.map { [$0] } ?? [])
    return Set(names).count == names.count ? shown : [:]
  }

  /// Returns the first text column that is called a title or a name, if any.
  private static func title(
    _ columns: [SchemaRows.Column], _ shown: [String: String]
  ) -> String? {
    for word in ["title", "name", "subject", "label"] {
      let title = columns.first { column in
        ColumnAffinity(declared: column.type) == .text
          // Attributes of several entities with the same name are numbered.
          && shown[column.name].map {
            $0.hasPrefix(word) && $0.dropFirst(word.count).allSatisfy(\.isNumber)
          }
            == true
      }
      if let title { return title.name }
    }
    return nil
  }
}

extension SQLiteSession {
  /// Returns the rows of a statement that have only text.
  fileprivate func texts(_ sql: String) throws(SQLiteError) -> [[String]] {
    try rows(sql).compactMap { row in
      let texts = row.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == row.count ? texts : nil
    }
  }
}
