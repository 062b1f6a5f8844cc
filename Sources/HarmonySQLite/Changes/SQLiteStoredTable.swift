import CSQLite

/// The stored columns of a table, and the statements to find and write its rows.
final class SQLiteStoredTable {
  let table: SQLiteChangeset.Table
  /// A name of the rowid that no column hides; nil if there are no rowids or all names are hidden.
  private let rowid: String?
  /// Whether the table has no rowids.
  let isWithoutRowid: Bool
  /// Whether a column is an alias of the rowid.
  private let hasRowidColumn: Bool
  private let affinities: [ColumnAffinity]
  /// The declared types of the columns; `defaults` has their default values.
  private let types: [String]
  private let defaults: [String?]
  private let isStrict: Bool
  /// The default values computed so far, by column.
  private var knownDefaults: [Int: SQLiteValue] = [:]
  /// The stored column of each column that the hook reports; nil for a generated column.
  private let told: [Int?]
  /// The positions of the primary key columns, as the hook counts columns.
  private let keyPlaces: [(declared: Int32, updated: Int32)]
  /// Whether the hook reports rows exactly as they are stored, unless columns were added later.
  private let isToldAsStored: Bool
  /// The conditions that find a row by its place.
  private let conditions: (key: String, rowid: String?)
  /// The statements that read a row, insert it, and insert it with its rowid.
  private let selection: String
  private let insertion: (plain: String, withRowid: String?)
  private let target: String

  var name: String { table.name }
  var primaryKey: [Int]? { table.primaryKey }
  var isShadow: Bool { table.isShadow }

  /// Whether rows can be found by their places.
  var canBeRead: Bool { isWithoutRowid || rowid != nil }

  /// Reads the schema of a table; nil if there is no such table.
  init?(_ name: String, _ session: SQLiteSession) throws(SQLiteError) {
    let columns = try session.rows(
      "SELECT name, type, dflt_value, pk, hidden, cid FROM pragma_table_xinfo(?, 'main') ORDER BY cid",
      [.text(name)])
    let facts = try session.rows(
      "SELECT type, wr, strict FROM pragma_table_list(?) WHERE schema = 'main'", [.text(name)])
    guard let facts = facts.first, !columns.isEmpty else { return nil }
    isWithoutRowid = facts[1] == .integer(1)
    var names: [String] = []
    var types: [String] = []
    var defaults: [String?] = []
    var places: [Int?] = []
    var key: [(order: Int64, stored: Int, declared: Int32, updated: Int32)] = []
    var virtual: Int32 = 0
    for row in columns {
      guard case .text(let column) = row[0], case .text(let type) = row[1],
        case .integer(let order) = row[3], case .integer(let hidden) = row[4],
        case .integer(let declared) = row[5]
      else { continue }
      // 2 is a virtual generated column, which is not stored; 3 is a stored generated column.
      if hidden == 2 {
        virtual += 1
        if !isWithoutRowid, !Self.hookSkipsVirtualColumns { places.append(nil) }
        continue
      }
      places.append(hidden == 0 ? names.count : nil)
      guard hidden == 0 else { continue }
      if order > 0 {
        let place = Int32(clamping: declared)
        key.append(
          (order, names.count, place, place - (Self.updatesSkipVirtualColumns ? virtual : 0)))
      }
      names.append(column)
      types.append(type)
      defaults.append(row[2].text)
    }
    key.sort { $0.order < $1.order }
    let hidden = Set(columns.compactMap { $0[0].text?.lowercased() })
    let rowid =
      isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { !hidden.contains($0) }
    // A primary key without an index is an alias of the rowid.
    let hasIndex = try !session.rows(
      "SELECT 1 FROM pragma_index_list(?, 'main') WHERE origin = 'pk'", [.text(name)]
    ).isEmpty
    hasRowidColumn = !isWithoutRowid && !key.isEmpty && !hasIndex
    let target = "main." + SQLiteIdentifier.quoted(name)
    let keyCondition = key.map { SQLiteIdentifier.quoted(names[$0.stored]) + " = ?" }
      .joined(separator: " AND ")
    // A key with a collation that only another program defines cannot be compared.
    let canCompare =
      hasIndex && (try? session.check("SELECT 1 FROM \(target) WHERE \(keyCondition)")) != nil
    table = SQLiteChangeset.Table(
      name: name, columns: names,
      primaryKey: isWithoutRowid || canCompare ? key.map(\.stored) : nil,
      isShadow: facts[0] == .text("shadow"))
    keyPlaces = key.map { ($0.declared, $0.updated) }
    affinities = types.map(ColumnAffinity.init(declared:))
    self.types = types
    self.defaults = defaults
    isStrict = facts[2] == .integer(1)
    told = places
    isToldAsStored = places == names.indices.map { $0 } && !affinities.contains(.real)
    let list = names.map(SQLiteIdentifier.quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    self.rowid = rowid
    self.target = target
    conditions = (keyCondition, rowid.map { "\($0) = ?" })
    selection = "SELECT \(list)\(rowid.map { ", \($0)" } ?? "") FROM \(target) WHERE "
    insertion = (
      "INSERT OR ABORT INTO \(target)(\(list)) VALUES(\(marks))",
      hasRowidColumn
        ? nil
        : rowid.map { "INSERT OR ABORT INTO \(target)(\(list), \($0)) VALUES(\(marks), ?)" }
    )
  }

  // MARK: Places

  /// Returns the key of the row that is about to change; must be called in the hook.
  func key(
    _ handle: OpaquePointer, isNew: Bool, isUpdate: Bool, _ encoding: SQLiteEncoding
  ) -> [UInt8]? {
    var writer = SQLiteRowWriter()
    for (place, column) in zip(keyPlaces, primaryKey ?? []) {
      var cell: OpaquePointer?
      let result =
        isNew
        ? sqlite3_preupdate_new(handle, isUpdate ? place.updated : place.declared, &cell)
        : sqlite3_preupdate_old(handle, place.declared, &cell)
      guard result == SQLITE_OK else { return nil }
      writer.append(cell, encoding, isReal: affinities[column] == .real)
    }
    return writer.bytes
  }

  /// Returns the place of a row: its key if that is unique, otherwise its rowid.
  func place(of row: SQLiteChangeset.Row) -> SQLiteChangeset.Place? {
    if let primaryKey, let last = primaryKey.max() {
      var reader = SQLiteRowReader(row.columns)
      var values: [(tag: SQLiteRowWriter.Tag, bytes: ArraySlice<UInt8>)] = []
      while values.count <= last {
        guard let value = reader.encodedValue() else { return nil }
        values.append(value)
      }
      if !primaryKey.contains(where: { values[$0].tag == .null }) {
        return .key(primaryKey.reduce(into: []) { $0 += values[$1].bytes })
      }
    }
    return row.rowid.map { .rowid($0) }
  }

  /// Returns the condition that finds a row by its place, and its parameters; nil if the place does
  /// not match the table.
  func condition(_ place: SQLiteChangeset.Place) -> (sql: String, values: [SQLiteValue])? {
    switch place {
    case .rowid(let number): return conditions.rowid.map { ($0, [.integer(number)]) }
    case .key(let bytes):
      guard let count = primaryKey?.count else { return nil }
      var reader = SQLiteRowReader(bytes)
      return reader.values(count).map { (conditions.key, $0) }
    }
  }

  // MARK: Rows

  /// Returns the row at a place; nil if there is none.
  func row(
    at place: SQLiteChangeset.Place, _ session: SQLiteSession
  ) throws -> SQLiteChangeset.Row? {
    guard let (condition, values) = condition(place) else { return nil }
    return try session.query(selection + condition, values) { statement in
      guard try statement.step() else { return nil }
      var writer = SQLiteRowWriter()
      for column in table.columns.indices {
        writer.append(
          sqlite3_column_value(statement.handle, Int32(column)), session.encoding, isReal: false)
      }
      let row = SQLiteChangeset.Row(
        columns: writer.bytes,
        rowid: rowid == nil ? nil : statement.integer(at: table.columns.count))
      // A collation may match a row whose key has a different spelling.
      if case .key = place, self.place(of: row) != place { return nil }
      return row
    }
  }

  /// Returns the stored columns of a row that the hook reported.
  ///
  /// - Parameters:
  ///   - bytes: The row as reported.
  ///   - hasAll: Whether the row is known to have all columns.
  /// - Returns: The encoded columns.
  /// - Throws: ``SQLiteError`` if a default value cannot be computed.
  func storedRow(_ bytes: [UInt8], hasAll: Bool) throws(SQLiteError) -> [UInt8] {
    if hasAll, isToldAsStored { return bytes }
    var reader = SQLiteRowReader(bytes)
    var row = [SQLiteValue](repeating: .null, count: table.columns.count)
    for place in told {
      if reader.isAtEnd { break }
      let isAbsent = reader.skip(.absent)
      let value = isAbsent ? nil : reader.values(1)?.first
      guard let place else { continue }
      if isAbsent {
        row[place] = try defaultValue(place)
      } else if case .integer(let number)? = value, affinities[place] == .real {
        row[place] = .real(Double(number))
      } else if let value {
        row[place] = value
      }
    }
    var writer = SQLiteRowWriter()
    writer.append(row)
    return writer.bytes
  }

  /// Returns whether a value is the default of a column.
  func isDefault(_ value: SQLiteValue, of column: Int) -> Bool {
    // A default that cannot be computed counts as different.
    (try? defaultValue(column)) == value
  }

  /// Returns the default value of a column, which rows stored before the column was added also
  /// have.
  func defaultValue(_ column: Int) throws(SQLiteError) -> SQLiteValue {
    guard let standard = defaults[column] else { return .null }
    if let known = knownDefaults[column] { return known }
    let type = isStrict ? types[column] : SQLiteIdentifier.quoted(types[column])
    func value(_ standard: String) throws(SQLiteError) -> SQLiteValue {
      let scratch = try SQLiteScratch(
        "CREATE TABLE a(c \(types[column].isEmpty ? "" : type) DEFAULT \(standard), d ANY)"
          + (isStrict ? " STRICT" : ""))
      try scratch.session.run("INSERT INTO a(d) VALUES(1)")
      return try scratch.session.rows("SELECT c FROM a").first?.first ?? .null
    }
    // A default string may be in double quotes or unquoted, which would be a column name in
    // parentheses; and a comment may end the line.
    let found: SQLiteValue
    do throws(SQLiteError) {
      found = try value("\(standard)\n")
    } catch {
      found = try value("(\(standard)\n)")
    }
    knownDefaults[column] = found
    return found
  }

  /// Deletes the row at a place.
  func remove(_ place: SQLiteChangeset.Place, _ session: SQLiteSession) throws(SQLiteError) {
    guard let (condition, values) = condition(place) else { return }
    try session.run("DELETE FROM \(target) WHERE \(condition)", values)
  }

  /// Returns whether the rowid of a row is free.
  func hasFreeRowid(
    for row: SQLiteChangeset.Row, _ session: SQLiteSession
  ) throws(SQLiteError) -> Bool {
    guard let rowid, let number = row.rowid, !hasRowidColumn else { return true }
    return try session.rows(
      "SELECT 1 FROM \(target) WHERE \(rowid) = ?", [.integer(number)]
    ).isEmpty
  }

  /// Inserts a row with its own or a new rowid.
  func insert(
    _ row: SQLiteChangeset.Row, keepingRowid: Bool, _ session: SQLiteSession
  ) throws(SQLiteError) {
    let count = table.columns.count
    let number = keepingRowid ? row.rowid : nil
    let withRowid = number == nil ? nil : insertion.withRowid
    try session.run(withRowid ?? insertion.plain) { statement throws(SQLiteError) in
      guard try statement.bind(row.columns, count: count) else { throw SQLiteError(.corrupt) }
      if let number, withRowid != nil { try statement.bind(.integer(number), at: count + 1) }
    }
  }

  /// Returns whether the column types store a row without converting values.
  func storesAsIs(_ row: SQLiteChangeset.Row) -> Bool {
    var reader = SQLiteRowReader(row.columns)
    return affinities.allSatisfy { affinity in
      guard let tag = reader.encodedValue()?.tag else { return false }
      return switch tag {
      case .null, .blob: true
      case .absent: false
      case .integer: affinity == .integer || affinity == .numeric || affinity == .none
      case .real: affinity == .real || affinity == .none
      case .text: affinity == .text || affinity == .none
      }
    }
  }

  /// Updates the columns in which two states of a row differ.
  func update(
    _ current: SQLiteChangeset.Row, to row: SQLiteChangeset.Row, at place: SQLiteChangeset.Place,
    _ session: SQLiteSession
  ) throws(SQLiteError) {
    var readers = (SQLiteRowReader(current.columns), SQLiteRowReader(row.columns))
    guard let (condition, keys) = condition(place),
      let old = readers.0.values(table.columns.count),
      let new = readers.1.values(table.columns.count)
    else { return }
    let changed = table.columns.indices.filter { old[$0] != new[$0] }
    guard !changed.isEmpty else { return }
    let sets = changed.map { SQLiteIdentifier.quoted(table.columns[$0]) + " = ?" }
    try session.run(
      "UPDATE OR ABORT \(target) SET \(sets.joined(separator: ", ")) WHERE \(condition)",
      changed.map { new[$0] } + keys)
  }

  /// Whether a row may be restored with another rowid.
  var mayMove: Bool { rowid != nil && !hasRowidColumn }

  // MARK: How the library counts columns

  /// Whether the hook omits virtual columns from old rows of tables with rowids.
  ///
  /// This is undocumented and differs between versions, so it is determined by a test.
  private static let hookSkipsVirtualColumns = told(
    "CREATE TABLE t(g AS (1) VIRTUAL, k)", "DELETE FROM t"
  ) { handle in
    var cell: OpaquePointer?
    guard sqlite3_preupdate_old(handle, 0, &cell) == SQLITE_OK else { return false }
    return sqlite3_value_type(cell) == SQLITE_INTEGER && sqlite3_value_int64(cell) == 2
  }

  /// Whether the hook omits virtual columns from the new row when updating a table without rowids.
  private static let updatesSkipVirtualColumns = told(
    "CREATE TABLE t(g AS (1) VIRTUAL, k PRIMARY KEY, n) WITHOUT ROWID", "UPDATE t SET n = 4"
  ) { handle in
    var cell: OpaquePointer?
    guard sqlite3_preupdate_new(handle, 0, &cell) == SQLITE_OK else { return false }
    return sqlite3_value_type(cell) == SQLITE_INTEGER && sqlite3_value_int64(cell) == 2
  }

  private final class Answer {
    var isTrue = false
    let ask: (OpaquePointer) -> Bool
    init(_ ask: @escaping (OpaquePointer) -> Bool) { self.ask = ask }
  }

  /// Evaluates a closure in the hook of a table with one row, in which `k` is 2.
  private static func told(
    _ table: String, _ change: String, _ ask: @escaping (OpaquePointer) -> Bool
  ) -> Bool {
    guard
      let session = try? SQLiteSession(
        uri: "file::memory:", flags: SQLITE_OPEN_READWRITE, busyTimeout: .zero),
      (try? session.execute(table + "; INSERT INTO t(k) VALUES(2)")) != nil
    else { return false }
    let answer = Answer(ask)
    withExtendedLifetime(answer) {
      _ = sqlite3_preupdate_hook(
        session.handle,
        { context, handle, _, _, _, _, _ in
          guard let context, let handle else { return }
          let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
          answer.isTrue = answer.ask(handle)
        }, Unmanaged.passUnretained(answer).toOpaque())
      try? session.execute(change)
      _ = sqlite3_preupdate_hook(session.handle, nil, nil)
    }
    return answer.isTrue
  }
}
