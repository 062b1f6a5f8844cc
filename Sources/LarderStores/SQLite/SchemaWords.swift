/// The words of the SQL that declares a table, except quoted names, strings and comments.
struct SchemaWords {
  /// Whether a constraint has an ON CONFLICT clause, by which a row may replace others.
  let declareConflicts: Bool

  /// Parses the SQL of a table.
  init(_ sql: String) {
    let words = Self.words(of: Array(sql.utf8))
    declareConflicts = zip(words, words.dropFirst()).contains { $0 == ("on", "conflict") }
  }

  /// Returns the words in lowercase; an empty one represents anything but space and comments.
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

  /// Skips a quoted name or string.
  ///
  /// A doubled quote is part of the text. Read as the end of one string and the start of another,
  /// it leads to the same end.
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
