import HarmonySQLite
import LarderModel

extension TableLens {
  /// The cache of Python's diskcache, according to its `core.py` of version 5.
  ///
  /// Its unique index covers the key and whether the key is pickled. The key alone is unique as
  /// well, as bytes that are not pickled would have to equal a pickle. Mode 1 is that of a value
  /// stored as it is.
  static let diskcache = TableLens(
    program: "diskcache", table: "Cache",
    columns: [
      "key", "raw", "store_time", "expire_time", "access_time", "access_count", "tag", "size",
      "mode", "filename", "value",
    ],
    siblings: ["Settings"], key: ["key"], index: ["key", "raw"], numbers: ["rowid"],
    files: Files(
      database: "cache.db", column: "filename", isPath: isDiskcachePath,
      modeColumn: "mode", value: diskcacheValue,
      modesInTable: [.integer(2): .integer(1), .integer(3): .integer(1)]),
    defaults: [
      "raw": .integer(1), "mode": .integer(1), "size": .integer(0), "access_count": .integer(0),
      "store_time": .now(.seconds), "access_time": .now(.seconds),
    ],
    plainValue: ("value", ["mode": .integer(1), "filename": .null, "size": .integer(0)]))

  /// Returns the value in a file: bytes, text, or a pickle as bytes.
  @Sendable private static func diskcacheValue(
    _ bytes: [UInt8], _ mode: StoredValue?
  ) -> StoredValue? {
    switch mode {
    case .integer(2), .integer(4): .data(bytes)
    case .integer(3): StoredValue(textBytes: bytes)
    default: nil
    }
  }

  /// Whether a path is 32 random hexadecimal digits, as in
  /// `d9/b3/8076f07f6897881b4e6c0182328f.val`.
  @Sendable private static func isDiskcachePath(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    let digits = names.joined().dropLast(".val".count)
    return names.map(\.utf8.count) == [2, 2, 32] && path.hasSuffix(".val")
      && digits.utf8.count == 32 && digits.allSatisfy { "0123456789abcdef".contains($0) }
  }
}
