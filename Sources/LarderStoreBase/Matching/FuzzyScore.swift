/// The scoring of keys in a fuzzy search for letters in order.
///
/// Consecutive letters and letters at the start of words score higher, and gaps between letters
/// lower. Of keys with equal scores, the shorter one ranks first. The score of a key is that of the
/// best way to match the letters.
struct FuzzyScore {
  private let wanted: [UInt32]
  private let ignoresCase: Bool

  private static let letter = 16
  private static let keyStart = 10
  private static let wordStart = 8
  private static let follows = 8
  private static let gap = 3
  /// The maximum length of a key to score, in Unicode scalars; the rest is ignored.
  private static let maximum = 512
  /// The score of letters that do not occur, which no sum of points can make up for.
  private static let none = -1_000_000

  init(_ text: String) {
    ignoresCase = !text.unicodeScalars.contains(where: \.properties.isUppercase)
    wanted = Self.scalars(ignoresCase ? LowerCase.folded(text)[...] : Array(text.utf8)[...])
  }

  /// Returns the rank of a key; less is better.
  func rank(of bytes: UnsafeRawBufferPointer) -> Double {
    // The length only breaks ties, so its contribution must be less than one point of the score.
    let length = Double(min(bytes.count, 4_095)) / 4_096
    return length - Double(score(Array(bytes.prefix(Self.maximum * 4))))
  }

  private func score(_ bytes: [UInt8]) -> Int {
    let text = Array(Self.scalars(bytes[...]).prefix(Self.maximum))
    let folded =
      ignoresCase
      ? Self.scalars(LowerCase.folded(String(decoding: bytes, as: UTF8.self))[...]) : text
    // A lowercase mapping may have more scalars than the original, so positions after it are
    // approximate.
    let haystack = folded.count >= text.count ? Array(folded.prefix(text.count)) : text
    // The best score for the letters so far, by the position of the last of them.
    var before: [Int] = []
    for (number, letter) in wanted.enumerated() {
      var best = Array(repeating: Self.none, count: haystack.count)
      var acrossGap = Self.none
      for place in haystack.indices {
        if place >= 2, number > 0 {
          acrossGap = max(acrossGap - 1, before[place - 2] - Self.gap)
        }
        guard haystack[place] == letter else { continue }
        let adjacent = place > 0 && number > 0 ? before[place - 1] + Self.follows : Self.none
        best[place] =
          (number > 0 ? max(adjacent, acrossGap) : 0) + Self.letter + Self.bonus(place, in: text)
      }
      before = best
    }
    let score = before.max() ?? 0
    return score > Self.none / 2 ? score : 0
  }

  /// Returns the bonus for a position, depending on the preceding character.
  private static func bonus(_ place: Int, in text: [UInt32]) -> Int {
    guard place > 0 else { return keyStart }
    let (last, this) = (text[place - 1], text[place])
    guard isWord(this) else { return 0 }
    if !isWord(last) { return wordStart }
    let beginsHump = isCapital(this) && !isCapital(last)
    return beginsHump || (isDigit(this) && !isDigit(last)) ? wordStart - 1 : 0
  }

  private static func isCapital(_ scalar: UInt32) -> Bool { scalar &- 0x41 < 26 }

  private static func isDigit(_ scalar: UInt32) -> Bool { scalar &- 0x30 < 10 }

  private static func isWord(_ scalar: UInt32) -> Bool {
    scalar >= 0x80 || isDigit(scalar) || (scalar | 0x20) &- 0x61 < 26
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(UInt32.init) }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }
}
