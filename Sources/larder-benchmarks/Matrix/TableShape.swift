import HarmonySQLite

/// A table definition, with data for any number of rows.
struct TableShape {
  let name: String
  /// The columns and options of `CREATE TABLE`.
  let table: String
  /// The SQL expressions that print a key as larder does.
  var key = "key"
  /// The SQL order of the keys if it differs from `key`.
  var order: String?
  /// The SQL expressions that print a row, starting with its key.
  var columns = "*"
  /// The column whose length the shell prints where larder prints the size of a value.
  var value = "value"
  /// The divisor of the number of rows, for large values.
  var divisor = 1
  /// Returns the values of a row, numbered from 0.
  var row: (Int) -> [SQLiteValue] = { [.path($0), .json($0)] }

  /// A hash of the definition and the first rows, so that files of earlier ones are not reused.
  var version: String {
    let definition = "\(table)\((0..<100).map(row))"
    let hash = definition.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }

  /// The shapes to measure.
  static var all: [TableShape] {
    [
      .init(name: "text pk + blob-declared json", table: "(key TEXT PRIMARY KEY, value BLOB)"),
      .init(
        name: "same + expires real", table: "(key TEXT PRIMARY KEY, value BLOB, expires_at REAL)"
      ) { [.path($0), .json($0), .real(Double(1_795_000_000 + $0 % 100_000))] },
      .init(
        name: "text pk without rowid", table: "(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"),
      .init(
        name: "integer pk record, 6 columns",
        table: "(id INTEGER PRIMARY KEY, name TEXT, email TEXT, created REAL, body TEXT, flag INT)",
        key: "id", value: "body"
      ) {
        [
          .int($0 * 3), .name($0), .text("u\($0)@example.com"),
          .real(Double(1_700_000_000 + $0)), .sentence($0, count: 12), .int($0 & 1),
        ]
      },
      .init(
        name: "composite pk without rowid",
        table: "(a INT, b TEXT, v TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", key: "a, b", value: "v"
      ) { [.int($0 / 100), .numbered("k", $0 % 100, digits: 5), .json($0)] },
      .init(
        name: "no pk (rowid)", table: "(x TEXT, y TEXT)", key: "rowid", columns: "rowid, *",
        value: "y"
      ) { [.name($0), .json($0)] },
      .init(
        name: "binary pickles, unique key",
        table: "(rowid INTEGER PRIMARY KEY, key BLOB, raw INT, expire_time REAL, value BLOB)",
        key: "rowid", value: "key"
      ) {
        [
          .int($0 + 1), .numbered("k:", $0, digits: 7), .int(1),
          $0 % 3 == 0 ? .real(Double(1_790_000_000 + $0)) : .null, .pickle($0),
        ]
      },
      .init(name: "text pk nocase", table: "(key TEXT PRIMARY KEY COLLATE NOCASE, value TEXT)") {
        [.path($0, isUppercase: $0 % 2 == 1), .json($0)]
      },
      .init(
        name: "text pk descending",
        table: "(key TEXT, value TEXT, PRIMARY KEY (key DESC)) WITHOUT ROWID", order: "key DESC"),
      .init(
        name: "20 KiB values (rows / 50)", table: "(id INTEGER PRIMARY KEY, value TEXT)", key: "id",
        divisor: 50
      ) { [.int($0), .sentence($0, count: 3_300)] },
      .init(name: "multi-byte text", table: "(key TEXT PRIMARY KEY, value TEXT)") {
        [
          .numbered(["寿司：", "東京：", "🍣:", "émoji:"][$0 % 4], $0, digits: 8),
          .text("こんにちは世界 \($0) 🎉 日本語の文章です。👩‍💻 ñandú"),
        ]
      },
      .init(
        name: "wide rows, 40 columns",
        table: "(id INTEGER\((1..<40).map { ", c\($0) \(["INT", "TEXT"][$0 % 2])" }.joined())"
          + ", PRIMARY KEY (id))", key: "id", value: "c1"
      ) { row in [.int(row)] + (1..<40).map { $0 % 2 == 0 ? .int(row * $0) : .name(row + $0) } },
      .init(
        name: "uuid blob pk without rowid",
        table: "(id BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID", key: "quote(id)", order: "id"
      ) { [.uuid($0), .json($0)] },
      .init(name: "text pk, hashes and digits", table: "(key TEXT PRIMARY KEY, value TEXT)") {
        [$0 % 3 == 0 ? .text(String($0)) : .hash($0), .json($0)]
      },
      .init(name: "json, escapes and newlines", table: "(key TEXT PRIMARY KEY, value TEXT)") {
        [.path($0), .text("{\n\t\"id\": \($0),\n\t\"text\": \"C:\\\\a\\\"b\\n\\u00e9\\/\"\n}\n")]
      },
      .init(
        name: "many nulls",
        table: "(id INTEGER PRIMARY KEY, a TEXT, b INT, c REAL, d BLOB, e TEXT, f INT, g REAL)",
        key: "id", value: "a"
      ) { row in [.int(row)] + (0..<7).map { row % 40 == $0 ? .int(row) : .null } },
      .init(
        name: "expiry with fractions", table: "(key TEXT PRIMARY KEY, value TEXT, expires_at REAL)"
      ) { [.path($0), .json($0), .real(1_795_000_000 + Double($0) * 0.337)] },
    ]
  }
}
