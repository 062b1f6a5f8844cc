import TestSamples
import LarderModel
import Testing

/// Conversion of keys to text and back.
@Suite struct EntryKeyNotationTests {
  @Test func `Every typed key is parsed from its notation`() {
    var random = SampleGenerator()
    for _ in 0..<3_000 {
      let key = Self.key(&random, depth: 2)
      let notation = key.notation(.typed)
      #expect(
        EntryKey(notation: notation, style: .typed) == key, "\(notation), seed \(random.seed)")
    }
  }

  @Test func `Every key of a text store is parsed from its notation`() {
    var random = SampleGenerator()
    for _ in 0..<3_000 {
      let key: EntryKey =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .bytes(random.bytes())
        case 1: .malformedText(random.malformedBytes())
        default: .text(random.text())
        }
      let notation = key.notation(.text)
      #expect(EntryKey(notation: notation, style: .text) == key, "\(notation), seed \(random.seed)")
    }
  }

  @Test func `Notations contain no hostile character`() {
    var random = SampleGenerator()
    for _ in 0..<3_000 {
      let key = Self.key(&random, depth: 1)
      let scalars = key.notation(.typed).unicodeScalars
      #expect(!scalars.contains { $0.isHostile }, "\(key), seed \(random.seed)")
    }
  }

  @Test(arguments: ["AD", "200B", "2060", "FEFF", "202E", "9B"])
  func `Invisible characters are escaped`(digits: String) throws {
    let scalar = try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init))
    let key = EntryKey.text("a\(scalar)b")
    let padded = String(repeating: "0", count: 4 - digits.count) + digits.lowercased()
    #expect(key.notation(.text) == "\"a\\u\(padded)b\"")
    #expect(EntryKey(notation: key.notation(.text), style: .text) == key)
    // Joiners between letters and emoji are part of them.
    #expect(EntryKey.text("👩\u{200D}🔬").notation(.text) == "👩\u{200D}🔬")
  }

  @Test func `Every text is the notation of a key`() {
    var random = SampleGenerator()
    for _ in 0..<3_000 {
      let text = random.text()
      for style in [KeyStyle.text, .typed] {
        let key = EntryKey(notation: text, style: style)
        let again = EntryKey(notation: key.notation(style), style: style)
        #expect(again == key, "\(text), seed \(random.seed)")
      }
    }
  }

  @Test(
    arguments: [
      (.null, "null", "null"), (.integer(42), "42", "42"), (.text("42"), "\"42\"", "42"),
      (.text("null"), "\"null\"", "null"), (.text("Double.pi"), "Double.pi", "Double.pi"),
      (.text(""), "\"\"", "\"\""), (.real(1), "1.0", "1.0"),
      (.bytes([0x0A, 0xFF]), "x'0aff'", "x'0aff'"),
      (.bytes([]), "x''", "x''"), (.malformedText([0xFF]), "t'ff'", "t'ff'"),
      (.text("x'0a'"), "\"x'0a'\"", "\"x'0a'\""), (.text("a,b"), "a,b", "a,b"),
      (.text("(a,b)"), "\"(a,b)\"", "(a,b)"),
      (.composite([.text("eu"), .integer(42)]), "(eu,42)", "(eu,42)"),
      (.composite([.text("a,b")]), "(\"a,b\")", "(\"a,b\")"),
      (.composite([]), "()", "()"),
      (.text("say \"hi\""), "say \"hi\"", "say \"hi\""),
      (.text("\"hi\""), #""\"hi\"""#, #""\"hi\"""#),
      (.text("a\nb"), #""a\nb""#, #""a\nb""#),
      (.text("a\u{202E}b"), #""a\u202eb""#, #""a\u202eb""#),
      (.text("-dash"), #""-dash""#, #""-dash""#),
    ] as [(EntryKey, String, String)])
  func theNotationIsWhatPeopleWouldType(_ key: EntryKey, _ typed: String, _ text: String) {
    #expect(key.notation(.typed) == typed)
    #expect(key.notation(.text) == text)
  }

  @Test(arguments: ["\"abc", "\"\\q\"", "\"a\" b", "x'0", "x'0g'", "(a", "(a))", "+5", "01", "\\"])
  func `An incomplete notation is a literal text`(_ text: String) {
    #expect(EntryKey(notation: text, style: .typed) == .text(text))
  }

  @Test func `Cache keys are ASCII and unique for every key`() {
    var random = SampleGenerator()
    var keys: [EntryKey: String] = [:]
    for _ in 0..<2_000 {
      let key = Self.key(&random, depth: 2)
      keys[key] = key.cacheKey
      let isASCII = key.cacheKey.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
      #expect(isASCII, "\(key), seed \(random.seed)")
    }
    #expect(Set(keys.values).count == keys.count, "seed \(random.seed)")
  }

  static func key(_ random: inout SampleGenerator, depth: Int) -> EntryKey {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
    case 0: return .null
    case 1: return .integer(random.integer())
    case 2: return .real(random.real())
    case 3: return .malformedText(random.malformedBytes())
    case 4: return .bytes(random.bytes())
    case 5, 6: return .text(random.text())
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .composite((0..<count).map { _ in key(&random, depth: depth - 1) })
    }
  }

  @Test func `A text of many parentheses is a key of its own`() {
    let text = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    let key = EntryKey.text(text)
    #expect(EntryKey(notation: key.notation(.typed), style: .typed) == key)
  }
}
