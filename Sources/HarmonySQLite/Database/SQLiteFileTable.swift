import Foundation

/// The files that are open in this process, and the paths of their log indices.
struct SQLiteFileTable: Sendable {
  private struct Row: Sendable {
    weak var file: SQLiteFile?
    /// The paths of the log's index, one for each path of the file without symbolic links.
    var indexes: Set<String>
  }

  private var rows: [SQLiteFile.Identity: Row] = [:]

  /// Returns the file with an identity if it is open.
  func file(_ identity: SQLiteFile.Identity) -> SQLiteFile? {
    rows[identity]?.file
  }

  /// Returns the file with an identity if it is open, and registers another path of its index.
  mutating func file(_ identity: SQLiteFile.Identity, index: String) -> SQLiteFile? {
    guard let file = rows[identity]?.file else { return nil }
    rows[identity]?.indexes.insert(index)
    return file
  }

  /// Adds an opened file.
  mutating func add(_ file: SQLiteFile, index: String) {
    // A file of the same identity may be about to be released, along with its locks.
    let indexes = rows[file.identity]?.indexes ?? []
    rows[file.identity] = Row(file: file, indexes: indexes.union([index]))
  }

  /// Removes a closed file.
  mutating func remove(_ identity: SQLiteFile.Identity) {
    rows[identity] = nil
  }

  /// Returns the open database that holds locks on a file: the file itself or the index of its log.
  func keeper(of identity: SQLiteFile.Identity) -> SQLiteFile? {
    if let file = file(identity) { return file }
    // Only paths are compared, because releasing a file here would access the table recursively.
    let row = rows.values.first { row in
      row.indexes.contains { FileStamp(path: $0)?.identity == identity }
    }
    return row?.file
  }
}
