import LarderModel

extension TableLens {
  /// The cookies of Firefox, according to `CookiePersistentStorage.cpp`.
  ///
  /// The expiry is in seconds, and in milliseconds from Firefox 142 on.
  static let firefoxCookies = TableLens(
    program: "Firefox", table: "moz_cookies",
    columns: [
      "id", "originAttributes", "name", "value", "host", "path", "expiry", "lastAccessed",
      "creationTime", "isSecure", "isHttpOnly",
    ],
    key: ["host", "name", "path", "originAttributes"],
    index: ["name", "host", "path", "originAttributes"],
    numbers: ["id"],
    expiry: Expiry(column: "expiry", unit: nil),
    defaults: [
      "creationTime": .now(.microseconds), "lastAccessed": .now(.microseconds),
      "isSecure": .integer(0), "isHttpOnly": .integer(0),
    ])
}
