import HarmonySQLite
import LarderModel

extension TableLens {
  /// The cookies of Chrome and other Chromium browsers, according to
  /// `sqlite_persistent_cookie_store.cc` of the versions 12 to 24 of its schema.
  ///
  /// Later versions also distinguish cookies by the site of the frame, the scheme and the port, so
  /// these end the key. A value that is encrypted takes the place of one that is not.
  static let chromiumCookies = TableLens(
    program: "a Chromium browser", table: "cookies",
    columns: [
      "creation_utc", "host_key", "name", "value", "encrypted_value", "path", "expires_utc",
      "last_access_utc", "has_expires", "is_persistent",
    ],
    siblings: ["meta"],
    key: ["host_key", "name", "path"],
    expiry: Expiry(
      column: "expires_utc", unit: .webkit, never: .integer(0),
      flags: ["has_expires", "is_persistent"]),
    bytes: ["encrypted_value"],
    // The plaintext begins with a hash of the host from version 24 on.
    encrypted: ("encrypted_value", key: "host_key"),
    defaults: [
      "creation_utc": .now(.webkit), "last_access_utc": .now(.webkit),
      "last_update_utc": .now(.webkit), "expires_utc": .integer(0), "has_expires": .integer(0),
      "is_persistent": .integer(0), "encrypted_value": .noBytes, "is_secure": .integer(1),
      "is_httponly": .integer(0), "priority": .integer(1), "samesite": .integer(-1),
      "source_scheme": .integer(0), "source_port": .integer(-1), "source_type": .integer(0),
      "is_same_party": .integer(0),
    ],
    plainValue: ("value", ["encrypted_value": .blob([])]))
}
