import Foundation
import Harmony
import LarderModel
import Testing

/// The fingerprint of an entry, which is computed on demand.
@Suite struct EntryFingerprintTests {
  @Test func `The fingerprint is that of the stored value, even if the value is changed`() {
    let stored = StoredValue.record([.init("a", .text("x")), .init("b", .real(0.5))])
    var entry = Entry(key: .text("k"), value: stored)
    entry.value = .text("other")
    #expect(entry.fingerprint == Fingerprint(of: stored))
    entry.value = nil
    #expect(entry.fingerprint == Fingerprint(of: stored))
    entry.size = 3
    #expect(entry.fingerprint == Fingerprint(of: stored))
  }

  @Test(arguments: [1, 4_000, 4_090, 5_000, 100_000])
  func `A fingerprint is the start of the SHA-256 of types, lengths and values`(size: Int) {
    let text = String(repeating: "x", count: size)
    func number(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    func encoded(_ text: String) -> [UInt8] { [4] + number(UInt64(text.utf8.count)) + text.utf8 }
    var bytes = [11] + number(8) + number(3)
    bytes += encoded("a") + encoded(text)
    bytes += encoded("b") + [2] + number(8) + number(7)
    bytes += encoded("c") + [0] + number(0)
    var digest = SHA256()
    digest.update(bytes)
    let value = StoredValue.record([
      .init("a", .text(text)), .init("b", .integer(7)), .init("c", .null),
    ])
    #expect(Fingerprint(of: value).bytes == Array(digest.digest().prefix(16)))
  }

  @Test func `An explicit fingerprint is used, and nil stays nil`() {
    var entry = Entry(key: .text("k"), value: .text("x"))
    entry.fingerprint = Fingerprint(of: .text("y"))
    #expect(entry.fingerprint == Fingerprint(of: .text("y")))
    entry.fingerprint = nil
    #expect(entry.fingerprint == nil)
    entry.value = .text("z")
    #expect(entry.fingerprint == nil)
    #expect(Entry(key: .text("k")).fingerprint == nil)
    #expect(Entry(key: .text("k"), preview: .text("x")).fingerprint == nil)
  }

  @Test func `Equality depends on the fingerprint, but not on whether it has been computed`() {
    let made = Entry(key: .text("k"), value: .text("x"))
    var set = made
    set.fingerprint = Fingerprint(of: .text("x"))
    #expect(made == set)
    #expect(Set([made, set]).count == 1)
    set.fingerprint = Fingerprint(of: .text("y"))
    #expect(made != set)
    var changed = made
    changed.value = .text("y")
    #expect(
      changed != Entry(key: .text("k"), value: .text("y")), "what was stored was another value")
  }
}
