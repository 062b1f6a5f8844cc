import HarmonySQLite
import LarderModel

/// Something that the schema of a database uses and larder lacks or does not run: a collation or a
/// function of the database's own program, an unsafe function, or the table of a pragma.
struct UnsupportedSchema {
  /// The unsupported element, such as a function and its name.
  private let subject: String
  /// The name that the schema has for it.
  private let name: String
  /// The reason why it is unsupported, as a relative clause.
  private let reason: String

  /// Creates the gap for a collation that only the database's own program has.
  init(collation name: String) {
    self.name = name
    (subject, reason) = ("the collation \(name)", Messages.programOnly)
  }

  /// Creates the gap that an error of SQLite is about; nil if it is about something else.
  init?(_ error: SQLiteError) {
    if error.code == .notAuthorized {
      // Only errors about a column of the table name it.
      let words = error.message.split(whereSeparator: { " .".contains($0) })
      let table = words.first { $0.lowercased().hasPrefix("pragma_") }.map(String.init)
      name = table ?? "pragma_"
      subject = "the table \(table ?? Messages.anyPragma)"
      reason = Messages.unreadPragma
      return
    }
    let starts = [
      (start: "no such collation sequence: ", "collation", Messages.programOnly),
      (start: "no such function: ", "function", Messages.programOnly),
      (start: "unknown function: ", "function", Messages.programOnly),
      (start: "unsafe use of ", "function", Messages.unsafeFunction),
    ]
    guard error.code == .error,
      let (start, noun, reason) = starts.first(where: { error.message.hasPrefix($0.0) })
    else { return nil }
    let rest = error.message.dropFirst(start.count)
    name = String(rest.hasSuffix("()") ? rest.dropLast(2) : rest)
    subject = "the \(noun) \(name)"
    self.reason = reason
  }

  /// Returns a sentence, without a full stop, about the gap and what uses it.
  ///
  /// - Parameters:
  ///   - table: The table that was read or written.
  ///   - session: A connection to it.
  /// - Returns: The sentence.
  func sentence(of table: String, _ session: SQLiteSession) -> String {
    Messages.unsupported(subject, used: user(table, session) ?? Messages.schema, reason)
  }

  /// Returns the first table, index, view or trigger whose definition contains the name, starting
  /// with those of the table.
  private func user(_ table: String, _ session: SQLiteSession) -> String? {
    let rows = try? session.rows(
      "SELECT type, name FROM main.sqlite_schema WHERE instr(lower(sql), lower(?1)) "
        + "ORDER BY lower(tbl_name) <> lower(?2), type = 'table', rowid LIMIT 1",
      [.text(name), .text(table)])
    guard let row = rows?.first, case .text(let type) = row[0], case .text(let name) = row[1] else {
      return nil
    }
    return "the \(type) “\(name)”"
  }
}
