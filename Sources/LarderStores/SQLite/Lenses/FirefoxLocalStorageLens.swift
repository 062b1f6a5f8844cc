import HarmonySQLite
import LarderModel

extension TableLens {
  /// The local storage of a site in Firefox, `ls/data.sqlite`, according to `LSValue.h`.
  ///
  /// A value is UTF-8 where the conversion type is 1, or else UTF-16, and compressed by Snappy
  /// where the compression type is 1.
  static let firefoxLocalStorage = TableLens(
    program: "Firefox", table: "data",
    columns: [
      "key", "utf16_length", "conversion_type", "compression_type", "last_access_time", "value",
    ],
    siblings: ["database"], key: ["key"], value: "value",
    plainValue: ("value", ["compression_type": .integer(0), "conversion_type": .integer(1)]),
    encode: { value in
      let text: String?
      switch value {
      case .text(let string): text = string
      case .data(let bytes): text = String(validating: bytes, as: UTF8.self)
      default: text = nil
      }
      return text.map {
        [
          StoredValue.Field("value", .data(Array($0.utf8))),
          StoredValue.Field("utf16_length", .integer(Int64($0.utf16.count))),
        ]
      }
    })
}
