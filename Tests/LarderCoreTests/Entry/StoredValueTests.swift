import Foundation
import LarderCore
import Testing

/// When two values are the same, and what digests say of them.
@Suite struct StoredValueTests {
  /// Values of which no two are stored alike.
  static let corpus: [StoredValue] = [
    .null, .bool(false), .bool(true), .integer(0), .integer(1), .integer(-1), .integer(.min),
    .real(0), .real(-0.0), .real(1), .real(.nan), .real(.infinity), .text(""), .text("0"),
    .text("null"), .text("\u{E9}"), .text("e\u{301}"), .text("a\0"), .text("a"),
    .malformedText([0xFF]), .malformedText([0xFF, 0xFE]), .data([]), .data([0]), .data([0xFF]),
    .data(Array("a".utf8)), .date(Date(timeIntervalSinceReferenceDate: 0)),
    .date(Date(timeIntervalSinceReferenceDate: 0.25)), .url(""), .url("a"), .url("\u{E9}"),
    .url("e\u{301}"), .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    .array([]), .array([.null]), .array([.null, .null]), .array([.array([])]),
    .array([.array([.null])]), .array([.array([]), .null]), .array([.text("a"), .text("b")]),
    .array([.text("ab")]), .array([.text("a")]), .dictionary([]), .dictionary([.init("a", .null)]),
    .dictionary([.init("a", .text("b"))]), .dictionary([.init("", .text("ab"))]),
    .dictionary([.init("ab", .text(""))]),
    .dictionary([.init("a", .null), .init("b", .null)]),
    .dictionary([.init("b", .null), .init("a", .null)]),
    .dictionary([.init("a", .null), .init("a", .null)]),
    .dictionary([.init("\u{E9}", .null)]), .dictionary([.init("e\u{301}", .null)]),
    .record([]), .record([.init("a", .null)]), .record([.init("a", .text("b"))]),
    .record([.init("a", .dictionary([.init("b", .null)]))]),
    .record([.init("a", .dictionary([])), .init("b", .null)]),
  ]

  @Test func everyValueEqualsItselfAndNoOther() {
    for (place, value) in Self.corpus.enumerated() {
      for (other, otherValue) in Self.corpus.enumerated() {
        #expect((value == otherValue) == (place == other), "\(value) and \(otherValue)")
      }
    }
    #expect(Set(Self.corpus).count == Self.corpus.count)
  }

  @Test func noTwoValuesHaveOneFingerprint() {
    let fingerprints = Self.corpus.map { Fingerprint(of: $0) }
    #expect(Set(fingerprints).count == Self.corpus.count)
  }

  @Test func theSignOfAZeroDateCounts() {
    let zero = StoredValue.date(Date(timeIntervalSinceReferenceDate: 0))
    let minus = StoredValue.date(Date(timeIntervalSinceReferenceDate: -0.0))
    #expect(zero != minus)
    #expect(Fingerprint(of: zero) != Fingerprint(of: minus))
    let none = StoredValue.date(Date(timeIntervalSinceReferenceDate: .nan))
    // Foundation cannot print this date, so that #expect must not be given it.
    let isItself = none == none
    #expect(isItself)
  }

  @Test func fingerprintsStayTheSameFromRunToRun() {
    #expect(Fingerprint(of: .text("larder")).description == "26c16105857ba60f25af662c4ca1e681")
    #expect(
      Fingerprint(of: .record([.init("id", .integer(42)), .init("name", .null)])).description
        == "d5c71673c87aba2094da407a439fc2cf")
  }

  @Test func aFingerprintIsReadBackFromItsText() {
    for value in Self.corpus {
      let fingerprint = Fingerprint(of: value)
      #expect(fingerprint.description.utf8.count == 32)
      #expect(Fingerprint(fingerprint.description) == fingerprint)
      #expect(Fingerprint(fingerprint.description.uppercased()) == fingerprint)
    }
  }

  @Test(
    arguments: [
      "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
      String(repeating: "g", count: 32), String(repeating: "\u{FF10}", count: 32),
      String(repeating: "0", count: 31) + " ",
    ])
  func otherTextsAreNotFingerprints(_ text: String) {
    #expect(Fingerprint(text) == nil)
  }

  @Test func bytesBecomeTextOnlyWhereTheyAreUTF8() {
    #expect(StoredValue(textBytes: Array("é".utf8)) == .text("é"))
    #expect(StoredValue(textBytes: [0xED, 0xA0, 0x80]) == .malformedText([0xED, 0xA0, 0x80]))
  }

  @Test func anEntryKnowsTypeSizeAndFingerprintOfItsValue() {
    let value = StoredValue.record([.init("né", .text("ab")), .init("n", .integer(1))])
    let entry = Entry(key: .integer(1), value: value)
    #expect(entry.isWhole)
    #expect(entry.type == .record)
    #expect(entry.size == 2 + 8, "the names of columns are not stored in the row")
    #expect(entry.fingerprint == Fingerprint(of: value))
    let key = Entry(key: .integer(1))
    #expect(!key.isWhole)
    #expect(key.fingerprint == nil)
  }
}
