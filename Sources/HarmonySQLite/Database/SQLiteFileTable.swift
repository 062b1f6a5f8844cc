import Foundation

/// The files that are open in this process, and the paths of the files with their locks.
struct SQLiteFileTable: Sendable {
  private struct Row: Sendable {
    weak var file: SQLiteFile?
    /// Where the index of the log is, if there is one: beside each path without links.
    var indexes: Set<String>
  }

  private var rows: [SQLiteFile.Identity: Row] = [:]

  /// The file of that identity if it is open.
  func file(_ identity: SQLiteFile.Identity) -> SQLiteFile? {
    rows[identity]?.file
  }

  /// The file of that identity if it is open, from now on also under another path.
  mutating func file(_ identity: SQLiteFile.Identity, index: String) -> SQLiteFile? {
    guard let file = rows[identity]?.file else { return nil }
    rows[identity]?.indexes.insert(index)
    return file
  }

  /// Adds a file that was opened.
  mutating func add(_ file: SQLiteFile, index: String) {
    // One of the same identity may be on its way out, and its locks with it.
    let indexes = rows[file.identity]?.indexes ?? []
    rows[file.identity] = Row(file: file, indexes: indexes.union([index]))
  }

  /// Forgets a file that is closed.
  mutating func remove(_ identity: SQLiteFile.Identity) {
    rows[identity] = nil
  }

  /// The open database that locks the file of that identity: itself, or the index of its log.
  func keeper(of identity: SQLiteFile.Identity) -> SQLiteFile? {
    if let file = file(identity) { return file }
    // Only the paths are looked at, as a file that is released here would want the table, too.
    let row = rows.values.first { row in
      row.indexes.contains { FileStamp(path: $0)?.identity == identity }
    }
    return row?.file
  }
}
