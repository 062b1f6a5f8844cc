import Foundation
import LarderModel
import Testing

/// The fingerprint of an entry, which is only made when somebody asks.
@Suite struct EntryFingerprintTests {
  @Test func `It stays that of what was stored, whatever the value becomes`() {
    let stored = StoredValue.record([.init("a", .text("x")), .init("b", .real(0.5))])
    var entry = Entry(key: .text("k"), value: stored)
    entry.value = .text("other")
    #expect(entry.fingerprint == Fingerprint(of: stored))
    entry.value = nil
    #expect(entry.fingerprint == Fingerprint(of: stored))
    entry.size = 3
    #expect(entry.fingerprint == Fingerprint(of: stored))
  }

  @Test func `One that is set is the one, and none is none`() {
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

  @Test func `Entries are the same whether it was made or not, and not with another one`() {
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
