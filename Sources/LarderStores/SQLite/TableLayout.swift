import HarmonySQLite
import LarderModel
import LarderStoreBase

/// The structure of a table or view, as needed to read and write its rows as entries.
struct TableLayout: Sendable {
  /// The kind of a table in SQLite.
  enum Form: String, Sendable {
    case table
    case view
    case virtual = "virtual table"
    case shadow = "shadow table"
  }

  /// The means by which rows are identified.
  enum Keys: Sendable {
    /// Columns, in the order of the index that sorts them.
    case columns([KeyColumn])
    /// The number of the row from 1, if there is nothing better.
    ///
    /// This applies to views, virtual tables without a rowid, and tables whose columns hide all
    /// names of the rowid. A row is found by stepping to it, and its key changes when rows before
    /// it are added or removed.
    case ordinal
  }

  /// The declaration that makes columns the key.
  enum KeySource: Sendable {
    case primaryKey
    /// A unique index, in a table whose column names indicate a key and its value.
    case uniqueIndex
    /// The user's choice of a unique index.
    case chosen
    /// The convention of a known program.
    case lens(TableLens)
  }

  /// One part of a key.
  struct KeyColumn: Sendable {
    let name: String
    /// The declared type.
    let type: String
    /// The expression that reads and compares the part by the rules of its index.
    let sql: String
    var isDescending = false
    var isNullable = false
    /// Whether the part is text in the order of its UTF-8 bytes.
    var isPlainText = false

    /// The properties of the column that matter for keys that a user types.
    var typed: TypedKeyColumn {
      TypedKeyColumn(
        name: name, type: type, form: ColumnAffinity(declared: type).form, isNullable: isNullable)
    }
  }

  /// One column of a row's value.
  struct ValueColumn: Sendable {
    let name: String
    /// The name in the table.
    let storedName: String
    var isGenerated = false
    /// The value that the database stores if none is given, in words; nil for NULL.
    var defaultText: String?
    /// Whether that is SQLite's current time, which is in UTC and names no zone.
    var isTimedInUTC = false
    var type = ""
    var isNotNull = false
    /// Whether the column is another name of the rowid.
    var isRowNumber = false
    /// The table that has the column; nil if it is the layout's own.
    var join: Joined?

    /// The expression that reads the column.
    var sql: String {
      let name = SQLiteIdentifier.quoted(storedName)
      guard let join else { return "t." + name }
      return "(SELECT j.\(name) FROM main.\(SQLiteIdentifier.quoted(join.table)) AS j "
        + "WHERE j.\(join.column) = t.\(join.column))"
    }
  }

  /// A table with at most one row for each row of the layout's own, which have the same number.
  struct Joined: Sendable, Hashable {
    let table: String
    let number: String

    /// The column with the number in both tables, as statements name it.
    var column: String { SQLiteIdentifier.quoted(number) }
  }

  let name: String
  /// The name of the collection.
  let shownName: String
  let form: Form
  let keys: Keys
  /// The declaration of the key; nil if it is the rowid or the number of a row.
  let keySource: KeySource?
  /// The columns of each key that the user can choose.
  let keyChoices: [[String]]
  /// The user's choice.
  let choice: KeyChoice
  let values: [ValueColumn]
  /// A name of the rowid that no column hides; nil if there is none.
  let rowid: String?
  /// Whether the table is WITHOUT ROWID.
  let isWithoutRowid: Bool
  /// The collation of the primary key, if only the database's own program has it; otherwise nil.
  let missingCollation: String?
  /// The index that sorts the keys; nil if the rows themselves are sorted by them.
  let index: String?
  /// Whether the key is the rowid itself and not a declared column.
  let isKeyedByRowid: Bool
  /// Whether a row's value is that of its only other column, and not a record.
  let isSingleValue: Bool

  /// Whether ON CONFLICT clauses of the table let a row that is written replace others.
  let declaresConflicts: Bool
  /// The expiry that was found, once it has been searched for.
  var expiry = ExpiryRecognizer.Verdict.nothing(nil)
  /// The main value column, if the others only number the rows or hold their expiry, age and use;
  /// nil if a row is a record of equal columns.
  var valueColumn: String?
  /// The main value column as far as the names of the columns alone show it.
  let numberedValue: String?

  /// The lens of a known program; nil for other tables.
  var lens: TableLens? {
    if case .lens(let lens) = keySource { lens } else { nil }
  }

  /// The expiry of rows; nil if they have none.
  var timing: TableExpiry? {
    if case .found(let expiry) = expiry { expiry } else { nil }
  }

  /// Whether rows have an expiry, or may have one once there are some.
  var mayExpire: Bool {
    switch expiry {
    case .found, .undecided: true
    case .nothing: false
    }
  }

  /// The properties of rows that are known besides their values.
  var known: StoreCapabilities {
    var known: StoreCapabilities = .types
    if !isSingleValue { known.insert(.columns) }
    if mayExpire { known.insert(.expiry) }
    let uses = timing?.uses
    if uses?.made != nil { known.insert(.ages) }
    if uses?.used != nil || uses?.hits != nil { known.insert(.uses) }
    return known
  }

  /// Returns the name that a column has in the table.
  func storedName(_ name: String) -> String { column(name)?.storedName ?? name }

  /// Returns the value column with a name.
  func column(_ name: String) -> ValueColumn? { values.first { $0.name.hasBytes(of: name) } }

  /// Whether the key is one that a program made, beside which the number of a row means nothing.
  var hasOwnKey: Bool {
    switch keySource {
    case .uniqueIndex, .lens: true
    case .primaryKey, .chosen, nil: false
    }
  }

  /// Whether the key is the rowid, under any name, by which the rows themselves are sorted.
  var isKeyedByNumber: Bool { index == nil && rowid != nil && keyColumns.count == 1 }

  var isWritable: Bool {
    if case .columns = keys { form == .table } else { false }
  }

  /// The reason why rows cannot be changed, as a clause; nil if they can.
  var readOnlyReason: String? {
    switch form {
    case .view: Messages.viewRows
    case .virtual: Messages.moduleRows
    case .shadow: Messages.shadowTable
    case .table where isWritable: nil
    case .table:
      if isWithoutRowid, let missingCollation {
        Messages.foreignCollation(missingCollation)
      } else {
        Messages.hiddenRowid
      }
    }
  }

  var keyColumns: [KeyColumn] {
    if case .columns(let columns) = keys { columns } else { [] }
  }

  /// Whether a new row gets a value in a column that is not written.
  func hasDefault(_ column: ValueColumn) -> Bool { newColumn(column).defaultText != nil }

  /// The columns that a new row can have values for.
  var newColumns: [NewColumn] { values.filter { !$0.isGenerated }.map { newColumn($0) } }

  /// Returns a column with its default in new rows.
  private func newColumn(_ column: ValueColumn) -> NewColumn {
    NewColumn(
      name: column.name, type: column.type, form: ColumnAffinity(declared: column.type).form,
      isNullable: !column.isNotNull,
      defaultText: column.defaultText ?? lens?.defaults[column.name]?.text)
  }

  /// The names of the key columns, or a description of the key if there are none.
  var keyDescription: String {
    guard case .columns(let columns) = keys else { return "row number" }
    return columns.map(\.name).joined(separator: ", ")
  }

  /// The evidence for a table of keys and values, in a few words; nil if rows are records.
  var keyValueEvidence: String? {
    let declared: String
    switch keySource {
    case .chosen, nil: return nil
    case .primaryKey: declared = Messages.primaryKey
    case .uniqueIndex: declared = Messages.uniqueColumn
    case .lens(let lens):
      return Messages.lens(
        shownName, of: lens.program, key: keyDescription,
        with: lens.siblings + lens.joins.map(\.table))
    }
    guard let value = valueColumn ?? (isSingleValue ? values.first?.name : nil) else { return nil }
    return Messages.keyValue(
      name, value, by: keyDescription, declared, hasOthers: valueColumn != nil)
  }

  /// The table in a FROM clause, under the alias `t`, bound to the index that sorts the keys.
  ///
  /// For a table that it considers small, the planner would rather sort.
  var from: String {
    let access =
      switch (keys, form) {
      case (.columns, .table), (.columns, .shadow):
        index.map { " INDEXED BY " + SQLiteIdentifier.quoted($0) } ?? " NOT INDEXED"
      default: ""
      }
    return target + access
  }

  /// The clause after INSERT and UPDATE that makes a row fail if it violates a constraint.
  ///
  /// That is the default, unless the table declares otherwise. The clause also overrides those of
  /// the statements in triggers, so it is used only if necessary.
  var orAbort: String { declaresConflicts ? " OR ABORT" : "" }

  /// The table in an UPDATE or DELETE statement, under the alias `t`.
  var target: String { "main." + SQLiteIdentifier.quoted(name) + " AS t" }

  /// Returns the default type of a new value.
  ///
  /// It is the type to which the column converts numeric text, or data if it holds only blobs.
  ///
  /// - Returns: The type; nil for text, and if rows are records.
  /// - Throws: ``SQLiteError`` if rows cannot be read.
  func valueType(_ session: SQLiteSession) throws(SQLiteError) -> StoredType? {
    let column =
      isSingleValue ? values.first : values.first { $0.name.hasBytes(of: valueColumn ?? "") }
    guard let column else { return nil }
    if lens?.bytes.contains(column.name) == true { return .data }
    let affinity = ColumnAffinity(declared: column.type)
    if affinity == .integer { return .integer }
    if isWritable {
      // A sample has to do, as reading all rows could take long.
      let types = try sample(["typeof(\(column.sql))"], session).joined()
        .filter { $0 != .text("null") }
      let areBytes = !types.isEmpty && types.allSatisfy { $0 == .text("blob") }
      if areBytes || column.type.uppercased() == "BLOB" && !types.contains(.text("text")) {
        return .data
      }
    }
    return affinity == .real ? .real : nil
  }

  /// The key columns as statements name them, alone or after the name of a table.
  var keyNames: [String] {
    keyColumns.map { isKeyedByRowid ? $0.name : SQLiteIdentifier.quoted($0.name) }
  }

  /// The expressions that read the key.
  var keySQL: [String] {
    guard case .columns(let columns) = keys else { return [] }
    return columns.map { column in
      // Without the collation, which is only for comparisons.
      isKeyedByRowid ? column.sql : "t." + SQLiteIdentifier.quoted(column.name)
    }
  }
}
