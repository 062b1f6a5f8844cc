import Foundation
import HarmonySQLite

/// The journal's record of a change: the rows, and the files that were deleted with them.
struct RowRecord {
  /// A file beside the database that held the value of a row.
  struct File: Codable, Sendable {
    /// The path relative to the folder of the database.
    let path: String
    let bytes: Data
    /// The permissions and other attributes; nil if they are unknown.
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

  /// Decodes a record; nil if the bytes are not a record.
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

  /// Encodes the record; without files, the bytes are those of the changeset.
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
