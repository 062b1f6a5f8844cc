import HarmonySQLite
import LarderModel

extension TableLens {
  /// The URL cache of Apple's systems in an app's `Cache.db`, according to CFNetwork.
  ///
  /// An entry is a row in each of three tables with the same number. A large body is a file in
  /// `fsCachedData`, named in its place by a UUID.
  static let appleURLCache = TableLens(
    program: "Apple's CFNetwork", table: "cfurl_cache_response",
    columns: ["entry_ID", "hash_value", "storage_policy", "request_key", "time_stamp"],
    key: ["request_key"], index: ["request_key"], numbers: ["entry_ID"],
    value: "receiver_data", bytes: ["receiver_data", "response_object", "request_object"],
    joins: [
      Join(table: "cfurl_cache_receiver_data", columns: ["isDataOnFS", "receiver_data"]),
      Join(
        table: "cfurl_cache_blob_data",
        columns: ["response_object", "request_object", "proto_props", "user_info"]),
    ],
    number: "entry_ID",
    files: Files(
      database: "Cache.db", column: "receiver_data", folder: "fsCachedData/",
      isPath: isAppleCachePath, modeColumn: "isDataOnFS", modeOfFiles: .integer(1),
      value: { bytes, _ in .data(bytes) }),
    plainValue: ("receiver_data", ["isDataOnFS": .integer(0)]))

  /// Whether a path is a UUID in `fsCachedData`.
  @Sendable private static func isAppleCachePath(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, names[0] == "fsCachedData" else { return false }
    return names[1].split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
      == [8, 4, 4, 4, 12] && names[1].allSatisfy { "0123456789ABCDEF-".contains($0) }
  }
}
