import Foundation
import LarderModel
import TestSamples
import Testing

/// Equality and fingerprints of values.
@Suite struct StoredValueTests {
  @Test func everyValueEqualsItselfAndNoOther() {
    for (place, value) in StoredValue.samples.enumerated() {
      for (other, otherValue) in StoredValue.samples.enumerated() {
        #expect((value == otherValue) == (place == other), "\(value) and \(otherValue)")
      }
    }
    #expect(Set(StoredValue.samples).count == StoredValue.samples.count)
  }

  @Test func `No two values have the same fingerprint`() {
    let fingerprints = StoredValue.samples.map { Fingerprint(of: $0) }
    #expect(Set(fingerprints).count == StoredValue.samples.count)
  }

  @Test func `The sign of a zero date is significant`() {
    let zero = StoredValue.date(Date(timeIntervalSinceReferenceDate: 0))
    let minus = StoredValue.date(Date(timeIntervalSinceReferenceDate: -0.0))
    #expect(zero != minus)
    #expect(Fingerprint(of: zero) != Fingerprint(of: minus))
    let none = StoredValue.date(Date(timeIntervalSinceReferenceDate: .nan))
    // Foundation cannot print this date, so it must not be passed to `#expect` directly.
    let isItself = none == none
    #expect(isItself)
  }

  @Test func `Fingerprints are the same in every run`() {
    #expect(Fingerprint(of: .text("larder")).description == "26c16105857ba60f25af662c4ca1e681")
    #expect(
      Fingerprint(of: .record([.init("id", .integer(42)), .init("name", .null)])).description
        == "d5c71673c87aba2094da407a439fc2cf")
  }

  @Test func `A fingerprint is parsed from its text`() {
    for value in StoredValue.samples {
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

  @Test func `An entry knows the type, size and fingerprint of its value`() {
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
