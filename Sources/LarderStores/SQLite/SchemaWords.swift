/// What the SQL that declares a table says by its words, apart from names in quotes, strings and
/// comments.
struct SchemaWords {
  /// Whether a constraint says what becomes of a row that breaks it, such as to replace others.
  let declareConflicts: Bool

  /// Reads the SQL of a table.
  init(_ sql: String) {
    let words = Self.words(of: Array(sql.utf8))
    declareConflicts = zip(words, words.dropFirst()).contains { $0 == ("on", "conflict") }
  }

  /// The words in small letters; what is no word stands as an empty one between others.
  private static func words(of sql: [UInt8]) -> [String] {
    var words: [String] = []
    var rest = sql[...]
    while let first = rest.first {
      switch first {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        skip(&rest, to: first)
        words.append("")
      case UInt8(ascii: "["):
        skip(&rest, to: UInt8(ascii: "]"))
        words.append("")
      case _ where rest.starts(with: "--".utf8):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case _ where rest.starts(with: "/*".utf8):
        skipComment(&rest)
      case _ where isOfWord(first):
        let word = rest.prefix(while: isOfWord)
        words.append(String(decoding: word, as: UTF8.self).lowercased())
        rest = rest.dropFirst(word.count)
      case 0x09...0x0d, 0x20:
        rest = rest.dropFirst()
      default:
        words.append("")
        rest = rest.dropFirst()
      }
    }
    return words
  }

  /// Skips what is in quotes.
  ///
  /// A quote that is doubled is one of what is in them; taken for the end
  /// of one and the beginning of another, it ends at the same place.
  private static func skip(_ rest: inout ArraySlice<UInt8>, to end: UInt8) {
    rest = rest.dropFirst().drop { $0 != end }.dropFirst()
  }

  private static func skipComment(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.dropFirst(2)
    while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
    rest = rest.dropFirst(2)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
