/// The words that the name of a column is made of: `expiresAt`, `EXPIRES_AT` and `ZEXPIRESAT` have
/// the same that matter.
struct ColumnWords: Equatable {
  /// The words in small letters, without those that say no more than that it is a column of a row.
  let words: [String]

  /// Words that say nothing of what a column of times is for.
  static let neutral: Set<String> = [
    "at", "on", "time", "timestamp", "date", "datetime", "ts", "stamp", "ms", "us", "ns", "sec",
    "secs", "seconds", "millis", "milliseconds", "epoch", "utc", "unix", "item", "cache", "cached",
    "entry", "key", "value", "data", "record", "row", "session", "response", "z", "after", "dt",
    "second", "millisecond", "micros", "microseconds", "nanos", "nanoseconds", "gmt",
  ]
  /// Words that names are taken apart into where they are written as one.
  private static let known: Set<String> = neutral.union([
    "expires", "expire", "expired", "expiry", "expiration", "exp", "ttl", "lifetime", "maxage",
    "max", "age", "valid", "until", "till", "to", "live", "created", "creation", "stored", "access",
    "accessed", "last", "used", "modified", "updated", "count", "size", "in", "minutes", "hours",
    "days", "issued",
  ])

  /// Takes a name apart.
  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in name {
      if !character.isLetter && !character.isNumber {
        if !word.isEmpty { words.append(word) }
        word = ""
        wasSmall = false
        continue
      }
      if character.isUppercase, wasSmall, !word.isEmpty {
        words.append(word)
        word = ""
      }
      wasSmall = !character.isUppercase
      word += character.lowercased()
    }
    if !word.isEmpty { words.append(word) }
    self.words = words.flatMap { Self.known.contains($0) ? [$0] : Self.parts(of: $0) ?? [$0] }
  }

  /// The known words that a word is made of; nil where it is made of others.
  private static func parts(of word: String) -> [String]? {
    let letters = Array(word)
    guard letters.count <= 32 else { return nil }
    // The last known word that ends at each place, from the start.
    var lengths: [Int?] = [0] + letters.map { _ in nil }
    for end in letters.indices.map({ $0 + 1 }) {
      for start in 0..<end where lengths[start] != nil {
        if known.contains(String(letters[start..<end])), end - start > 1 || start == 0 {
          lengths[end] = end - start
          break
        }
      }
    }
    var parts: [String] = []
    var end = letters.count
    while end > 0 {
      guard let length = lengths[end], length > 0 else { return nil }
      parts.insert(String(letters[(end - length)..<end]), at: 0)
      end -= length
    }
    return parts
  }

  /// The words that are not neutral.
  var core: [String] { words.filter { !Self.neutral.contains($0) } }

  /// The last word of a name, or the first that is not neutral.
  var last: String { words.last ?? "" }
}
