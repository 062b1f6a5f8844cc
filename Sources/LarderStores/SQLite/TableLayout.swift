import HarmonySQLite
import LarderModel

/// What a table or view is made of, as far as its rows are read and written as entries.
struct TableLayout: Sendable {
  /// What a table is in the eyes of SQLite.
  enum Form: String, Sendable {
    case table
    case view
    case virtual = "virtual table"
    case shadow = "shadow table"
  }

  /// How rows are told apart.
  enum Keys: Sendable {
    /// By columns, in the order of the index that sorts them.
    case columns([KeyColumn])
    /// By their number from 1, where there is nothing better: in views, in virtual tables
    /// without a rowid, and where columns hide all names of the rowid. A row is found by
    /// stepping to it, and its key changes when rows before it come or go.
    case ordinal
  }

  /// What declares the key.
  enum KeySource: Sendable {
    case primaryKey
    /// An index, where the names of the columns say that they are a key and its value.
    case uniqueIndex
    /// What the program is known to take for the key.
    case lens(TableLens)
  }

  /// One part of a key.
  struct KeyColumn: Sendable {
    let name: String
    /// The type that it is declared with.
    let type: String
    /// The expression that reads and compares the part by the rules of its index.
    let sql: String
    let isDescending: Bool
    let isNullable: Bool
    /// Whether the part holds text in the order of its UTF-8 bytes.
    let isPlainText: Bool
    /// The collation that sorts the part.
    let collation: String
    /// Whether the expression names another collation than the column has.
    let isCollated: Bool

    /// The column as far as keys that are typed depend on it.
    var typed: TypedKeyColumn {
      TypedKeyColumn(
        name: name, type: type, form: ColumnAffinity(declared: type).form, isNullable: isNullable)
    }
  }

  /// One column of a row's value.
  struct ValueColumn: Sendable {
    let name: String
    let isGenerated: Bool
    /// What the database stores in rows that are added without a value for the column, in words; nil for
    /// null.
    let defaultText: String?
    /// Whether that is SQLite's own time of now, which is in UTC and names no zone.
    let isTimedInUTC: Bool
    let type: String
    let isNotNull: Bool

    var sql: String { "t." + SQLiteIdentifier.quoted(name) }
  }

  let name: String
  let form: Form
  let keys: Keys
  /// What declares the key; nil where it is the rowid or the number of a row.
  let keySource: KeySource?
  let values: [ValueColumn]
  /// A name of the rowid that no column hides, or nil where the table has none.
  let rowid: String?
  /// Whether the table was made without rowids.
  let isWithoutRowid: Bool
  /// The collation of the primary key that only the program of the database has; nil for none.
  let missingCollation: String?
  /// The index that holds the keys in order, or nil where the rows themselves are in order.
  let index: String?
  /// Whether the key is the rowid itself, which is no column of the table.
  let isKeyedByRowid: Bool
  /// Whether a row's value is that of its only other column, and not a record.
  let isSingleValue: Bool

  /// Whether the table itself says what becomes of rows that break a constraint: then one that is
  /// written could take the place of others.
  let declaresConflicts: Bool
  /// What was found out about when rows expire, once somebody has looked.
  var expiry = ExpiryRecogniser.Verdict.nothing(nil)
  /// The column that is the value of a row, where the others only number the rows, or say when it
  /// counts and what became of it; nil where a row is a record of equal columns.
  var valueColumn: String?
  /// The same, where that is so by the names of the columns alone.
  let numberedValue: String?

  /// How a known program means the table; nil for other tables.
  var lens: TableLens? {
    if case .lens(let lens) = keySource { lens } else { nil }
  }

  /// Where rows say when they expire; nil where they do not.
  var timing: TableExpiry? {
    if case .found(let expiry) = expiry { expiry } else { nil }
  }

  /// Whether rows say when they expire, or may say it once there are some.
  var mayExpire: Bool {
    switch expiry {
    case .found, .undecided: true
    case .nothing: false
    }
  }

  /// What is known of rows beside their values.
  var known: StoreCapabilities {
    var known: StoreCapabilities = .types
    if !isSingleValue { known.insert(.columns) }
    if mayExpire { known.insert(.expiry) }
    let uses = timing?.uses
    if uses?.made != nil { known.insert(.ages) }
    if uses?.used != nil || uses?.hits != nil { known.insert(.uses) }
    return known
  }

  /// Whether the key is a number that the rows themselves are in the order of: the rowid, whatever it
  /// is called.
  var isKeyedByNumber: Bool { index == nil && rowid != nil && keyColumns.count == 1 }

  var isWritable: Bool {
    if case .columns = keys { form == .table } else { false }
  }

  /// Why rows cannot be changed, as a clause; nil where they can.
  var readOnlyReason: String? {
    switch form {
    case .view: "its rows are made of those of other tables"
    case .virtual: "its rows are made by a module of SQLite"
    case .shadow: "a virtual table keeps its data in it"
    case .table where isWritable: nil
    case .table:
      if isWithoutRowid, let missingCollation {
        "only the program that made it can compare its keys, by the collation \(missingCollation)"
      } else {
        "its columns hide every name of the rowid, and it has no key"
      }
    }
  }

  var keyColumns: [KeyColumn] {
    if case .columns(let columns) = keys { columns } else { [] }
  }

  /// Whether a new row gets a value in a column that nobody gives one.
  func hasDefault(_ column: ValueColumn) -> Bool { newColumn(column).defaultText != nil }

  /// The columns that a new row can be given values for.
  var newColumns: [NewColumn] { values.filter { !$0.isGenerated }.map { newColumn($0) } }

  /// A column as a new row is given a value for it.
  private func newColumn(_ column: ValueColumn) -> NewColumn {
    NewColumn(
      name: column.name, type: column.type, form: ColumnAffinity(declared: column.type).form,
      isNullable: !column.isNotNull,
      defaultText: column.defaultText ?? lens?.defaults[column.name]?.text)
  }

  /// What the keys are, in a few words.
  var keyDescription: String {
    guard case .columns(let columns) = keys else { return "row number" }
    return columns.map(\.name).joined(separator: ", ")
  }

  /// What makes the table one of keys and values, in a few words; nil where rows are records.
  var keyValueEvidence: String? {
    let declared: String
    switch keySource {
    case nil: return nil
    case .primaryKey: declared = "the primary key"
    case .uniqueIndex: declared = "which is unique"
    case .lens(let lens):
      return
        "\(name) shows the rows of \(lens.program) by its \(keyDescription); it was recognised "
        + "by its columns and the table \(lens.sibling)"
    }
    let key = "by \(keyDescription), \(declared)"
    if let valueColumn {
      return "\(name) shows \(valueColumn) \(key), and the other columns beside it"
    }
    guard isSingleValue, let value = values.first else { return nil }
    return "\(name) shows \(value.name) \(key)"
  }

  /// The table in a FROM, under the name `t`, bound to the index that gives the keys their order:
  /// the planner would rather sort where it takes the table for small.
  var from: String {
    let access =
      switch (keys, form) {
      case (.columns, .table), (.columns, .shadow):
        index.map { " INDEXED BY " + SQLiteIdentifier.quoted($0) } ?? " NOT INDEXED"
      default: ""
      }
    return target + access
  }

  /// What follows INSERT and UPDATE, so that a row that breaks a constraint fails.
  ///
  /// That is so without a word, unless the table says otherwise. The word counts also for the
  /// statements of triggers, whose own words would not hold, so it is said only where it has to be.
  var orAbort: String { declaresConflicts ? " OR ABORT" : "" }

  /// The table in an UPDATE or DELETE, under the name `t`.
  var target: String { "main." + SQLiteIdentifier.quoted(name) + " AS t" }

  /// The type of a new value where nobody says otherwise: the one that its column makes of a number in
  /// a text, or bytes where it holds no text but bytes; nil for text, and where rows are records.
  ///
  /// - Throws: ``SQLiteError`` where rows cannot be read.
  func valueType(_ session: SQLiteSession) throws(SQLiteError) -> StoredType? {
    let column =
      isSingleValue ? values.first : values.first { $0.name.hasBytes(of: valueColumn ?? "") }
    guard let column else { return nil }
    let type = column.type.uppercased()
    // By the rules of <https://www.sqlite.org/datatype3.html>, 3.1, in their order.
    if type.contains("INT") { return .integer }
    if isWritable {
      // Some rows tell: to look at all of them could take long.
      let types = try sample(["typeof(\(column.sql))"], session).joined()
        .filter { $0 != .text("null") }
      let areBytes = !types.isEmpty && types.allSatisfy { $0 == .text("blob") }
      if areBytes || type == "BLOB" && !types.contains(.text("text")) { return .data }
    }
    if ["CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) { return nil }
    return ["REAL", "FLOA", "DOUB"].contains(where: type.contains) ? .real : nil
  }

  /// The parts of the key as statements name them, alone or after the name of a table.
  var keyNames: [String] {
    keyColumns.map { isKeyedByRowid ? $0.name : SQLiteIdentifier.quoted($0.name) }
  }

  /// What reads the key.
  var keySQL: [String] {
    guard case .columns(let columns) = keys else { return [] }
    return columns.map { column in
      // Without a collation, which is for comparing only.
      isKeyedByRowid ? column.sql : "t." + SQLiteIdentifier.quoted(column.name)
    }
  }
}
