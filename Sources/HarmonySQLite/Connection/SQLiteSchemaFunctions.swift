import CSQLite
import Foundation

/// The functions and tables of SQLite's own that the schema of a database may not use.
///
/// Indexes, generated columns, views and triggers call functions as soon as a database is read or
/// written, whoever made it. SQLite itself refuses those that are marked for statements only, such as
/// `load_extension`. `trusted_schema=OFF` would refuse all that are not marked as innocuous, too; but
/// before 3.41 those of JSON are not, and one index that calls one of them makes the whole database
/// unreadable. So the schema is trusted, and what is neither marked as innocuous nor known to be so
/// is replaced by a function that fails where it is called, and only there. Of the tables that SQLite
/// has by itself, those of pragmas tell of the connection and of the machine: views and triggers that
/// read one fail, and nothing else does.
enum SQLiteSchemaFunctions {
  /// A function, as SQLite tells it from others.
  struct Function: Sendable {
    let name: String
    /// How many arguments it takes; -1 for any number.
    let argumentCount: Int32
  }

  /// Functions of stock SQLite that are not marked as innocuous, and only compute or read the
  /// database itself.
  private static let innocuous: Set<String> = [
    "->", "->>", "json", "json_array", "json_array_length", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_patch", "json_quote", "json_remove",
    "json_replace", "json_set", "json_type", "json_valid", "bm25", "fts5", "fts5_source_id",
    "highlight", "match", "matchinfo", "offsets", "snippet", "rtreecheck", "rtreedepth",
    "rtreenode",
  ]

  /// `SQLITE_DIRECTONLY | SQLITE_INNOCUOUS`, for either of which SQLite itself takes care.
  private static let marks: Int32 = 0x08_0000 | 0x20_0000

  /// The functions of the library that nobody knows to be innocuous; nil where it does not list all
  /// that it has.
  private static let unknown = listing { handle in
    try? listed(
      "SELECT DISTINCT name, narg FROM pragma_function_list WHERE flags & \(marks) = 0", handle)
  }

  /// Opens a database in memory for a body that asks what the library has.
  private static func listing(_ body: (OpaquePointer) -> [Function]?) -> [Function]? {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle
    else { return nil }
    return body(handle)
  }

  /// The functions that a statement lists and that are not known to be innocuous.
  ///
  /// - Throws: ``SQLiteError`` where the list does not come to its end: what it would have named must
  ///   not pass for innocuous.
  static func listed(_ sql: String, _ handle: OpaquePointer) throws(SQLiteError) -> [Function] {
    let statement = try SQLiteStatement(handle, sql)
    var functions: [Function] = []
    while try statement.step() {
      guard let name = statement.text(at: 0) else { throw SQLiteError(.error) }
      guard !innocuous.contains(name) else { continue }
      functions.append(
        Function(name: name, argumentCount: Int32(clamping: statement.integer(at: 1))))
    }
    return functions
  }

  /// Lets the schemas of a connection's databases use what is innocuous, and nothing else.
  static func restrict(_ handle: OpaquePointer) throws(SQLiteError) {
    _ = cs_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, unknown == nil ? 0 : 1)
    for function in unknown ?? [] { try refuse(function, on: handle) }
    refusePragmas(on: handle)
  }

  /// Refuses statements in which a view or a trigger reads the table of a pragma.
  private static func refusePragmas(on handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { _, action, table, _, _, place in
        // Without a place it is the statement itself that reads it.
        guard action == SQLITE_READ, place != nil, let table,
          sqlite3_strnicmp(table, "pragma_", 7) == 0
        else { return SQLITE_OK }
        return SQLITE_DENY
      }, nil)
  }

  /// Makes a function fail where it is called.
  ///
  /// It is deterministic, as an index that calls one that is not could not even be loaded.
  static func refuse(_ function: Function, on handle: OpaquePointer) throws(SQLiteError) {
    let result = sqlite3_create_function_v2(
      handle, function.name, function.argumentCount, SQLITE_ANY | SQLITE_DETERMINISTIC,
      strdup(function.name),
      { context, _, _ in
        let name = sqlite3_user_data(context).map {
          String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
        sqlite3_result_error(context, "unsafe use of \(name ?? "a function")()", -1)
      }, nil, nil, { free($0) })
    guard result == SQLITE_OK else { throw SQLiteError(handle, result) }
  }
}
