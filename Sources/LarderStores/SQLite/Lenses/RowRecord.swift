import Foundation
import HarmonySQLite

/// What the journal keeps of a change of rows: the rows, and the files that went with them.
struct RowRecord {
  /// A file beside the database that held the value of a row.
  struct File: Codable, Sendable {
    /// Its path below the folder of the database.
    let path: String
    let bytes: Data
    /// Who may read and write it, and what else it carries; nil where that is not known.
    let form: String?
  }

  let changeset: SQLiteChangeset
  let files: [File]

  private struct WithFiles: Codable {
    let changeset: Data
    let files: [File]
  }

  init(_ changeset: SQLiteChangeset, files: [File] = []) {
    self.changeset = changeset
    self.files = files
  }

  /// Reads a record; nil where the bytes are none.
  init?(encoded bytes: [UInt8]) {
    if let changeset = SQLiteChangeset(encoded: bytes) {
      self.init(changeset)
    } else if let record = try? PropertyListDecoder().decode(WithFiles.self, from: Data(bytes)),
      let changeset = SQLiteChangeset(encoded: Array(record.changeset))
    {
      self.init(changeset, files: record.files)
    } else {
      return nil
    }
  }

  /// The record as bytes: those of the changeset alone where there are no files.
  ///
  /// - Throws: `EncodingError`.
  func encoded() throws -> [UInt8] {
    guard !files.isEmpty else { return changeset.encoded }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(
      try encoder.encode(WithFiles(changeset: Data(changeset.encoded), files: files)))
  }
}
