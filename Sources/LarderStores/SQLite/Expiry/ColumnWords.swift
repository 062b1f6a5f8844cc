/// The words that make up the name of a column.
///
/// `expiresAt`, `EXPIRES_AT` and `ZEXPIRESAT` have the same `core`.
struct ColumnWords: Equatable {
  /// All words in lowercase, including the neutral ones.
  let words: [String]

  /// Words that say nothing about the purpose of a column of times.
  static let neutral: Set<String> = [
    "at", "on", "time", "timestamp", "date", "datetime", "ts", "stamp", "ms", "us", "ns", "sec",
    "secs", "seconds", "millis", "milliseconds", "epoch", "utc", "unix", "item", "cache", "cached",
    "entry", "key", "value", "data", "record", "row", "session", "response", "z", "after", "dt",
    "second", "millisecond", "micros", "microseconds", "nanos", "nanoseconds", "gmt",
  ]
  /// Words that a name without separators is split into.
  private static let known: Set<String> = neutral.union([
    "expires", "expire", "expired", "expiry", "expiration", "exp", "ttl", "lifetime", "maxage",
    "max", "age", "valid", "until", "till", "to", "live", "created", "creation", "stored", "access",
    "accessed", "last", "used", "modified", "updated", "count", "size", "in", "minutes", "hours",
    "days", "issued",
  ])

  /// Splits a name into words.
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

  /// Returns the known words that a word is composed of; nil if it contains anything else.
  private static func parts(of word: String) -> [String]? {
    let letters = Array(word)
    guard letters.count <= 32 else { return nil }
    // For each offset, the length of the longest known word that ends a series of such words there.
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

  /// The last word; empty if there is none.
  var last: String { words.last ?? "" }
}
