import CSQLite
import Foundation

/// Restrictions on the built-in functions and tables that the schema of a database may use.
///
/// Indexes, generated columns, views and triggers of an untrusted database call functions when the
/// database is read or written. SQLite itself rejects functions that are marked for direct use
/// only, such as `load_extension`. `trusted_schema=OFF` would also reject all functions that are
/// not marked innocuous, but before 3.41 this includes the JSON functions, and one index that uses
/// them would make the whole database unreadable. Therefore the schema is trusted, and functions
/// that are neither marked innocuous nor known to be so are replaced with functions that fail when
/// they are called. Of the built-in tables, those of pragmas reveal information about the
/// connection and the machine; views and triggers that read one of them fail.
enum SQLiteSchemaFunctions {
  /// A function as SQLite identifies it.
  struct Function: Sendable {
    let name: String
    /// The number of arguments; -1 for any number.
    let argumentCount: Int32
  }

  /// Functions of standard SQLite that are not marked innocuous, but only compute or read the
  /// database itself.
  private static let innocuous: Set<String> = [
    "->", "->>", "json", "json_array", "json_array_length", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_patch", "json_quote", "json_remove",
    "json_replace", "json_set", "json_type", "json_valid", "bm25", "fts5", "fts5_source_id",
    "highlight", "match", "matchinfo", "offsets", "snippet", "rtreecheck", "rtreedepth",
    "rtreenode",
  ]

  /// `SQLITE_DIRECTONLY | SQLITE_INNOCUOUS`: SQLite itself handles functions with either flag.
  private static let marks: Int32 = 0x08_0000 | 0x20_0000

  /// The functions of the library that are not known to be innocuous; nil if it does not list all
  /// of its functions.
  private static let unknown = listing { handle in
    try? listed(
      "SELECT DISTINCT name, narg FROM pragma_function_list WHERE flags & \(marks) = 0", handle)
  }

  /// Opens an in-memory database to list the functions of the library.
  private static func listing(_ body: (OpaquePointer) -> [Function]?) -> [Function]? {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle
    else { return nil }
    return body(handle)
  }

  /// Returns the functions in the result of a statement that are not known to be innocuous.
  ///
  /// - Throws: ``SQLiteError`` if the list is incomplete, because missing functions must not count
  ///   as innocuous.
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

  /// Restricts the schemas of a connection's databases to innocuous functions and tables.
  static func restrict(_ handle: OpaquePointer) throws(SQLiteError) {
    _ = cs_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, unknown == nil ? 0 : 1)
    for function in unknown ?? [] { try refuse(function, on: handle) }
    refusePragmas(on: handle)
  }

  /// Rejects statements in which a view or a trigger reads the table of a pragma.
  private static func refusePragmas(on handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { _, action, table, _, _, place in
        // Without a view or trigger, the statement itself reads the table.
        guard action == SQLITE_READ, place != nil, let table,
          sqlite3_strnicmp(table, "pragma_", 7) == 0
        else { return SQLITE_OK }
        return SQLITE_DENY
      }, nil)
  }

  /// Replaces a function with one that fails when it is called.
  ///
  /// It is deterministic, because an index with a non-deterministic function could not even be
  /// loaded.
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
