import Foundation
import Testing

@testable import LarderModel
@testable import LarderBrowser

struct StoreSnapshotTests {
  private let start = Date(timeIntervalSince1970: 1_000)

  private func entry(_ key: String, _ text: String, modified: Date? = nil) -> Entry {
    Entry(key: .text(key), value: .text(text), modified: modified)
  }

  @Test func `Values are kept while there is room`() {
    var known = StoreSnapshot(room: 100)
    known.beginRound()
    for key in ["a", "b"] {
      let entry = entry(key, "value of \(key)")
      let difference = known.take(entry, listed: entry, at: start)
      #expect(difference?.change == .added)
    }
    let none = known.endRound()
    #expect(none.isEmpty)
    known.beginRound()
    let all = known.endRound()
    #expect(
      all == [
        EntryDifference(.removed, .text("a"), old: .text("value of a")),
        EntryDifference(.removed, .text("b")),
      ])
    // The room of removed values can be reused.
    known.beginRound()
    let entry = entry("c", "value of c")
    _ = known.take(entry, listed: entry, at: start)
    known.beginRound()
    let last = known.endRound()
    #expect(last.map(\.old) == [.text("value of c")])
  }

  @Test func `A large value is compared by its digest`() {
    var known = StoreSnapshot()
    let large = String(repeating: "x", count: StoreSnapshot.maximumValue)
    for (text, change) in [(large + "1", EntryDifference.Change.added), (large + "2", .changed)] {
      known.beginRound()
      let entry = entry("k", text)
      let difference = known.take(entry, listed: entry, at: start)
      #expect(difference?.change == change)
      #expect(difference?.value == .text(text))
      #expect(difference?.old == nil)
    }
  }

  @Test func `A duplicate key does not change with each check`() {
    var known = StoreSnapshot()
    for round in 0..<3 {
      known.beginRound()
      let differences = ["one", "two"].compactMap { text in
        let entry = entry("k", text)
        return known.take(entry, listed: entry, at: start)
      }
      #expect(differences.count == (round == 0 ? 1 : 0))
      let gone = known.endRound()
      #expect(gone.isEmpty)
    }
  }

  @Test func `An expiry is reported once until the entry is written again`() {
    var known = StoreSnapshot()
    known.beginRound()
    for key in ["a", "b", "c"] {
      let entry = entry(key, "value of \(key)")
      _ = known.take(entry, listed: entry, at: start)
    }
    known.setExpiry(start + 20, of: .text("a"))
    known.setExpiry(start + 10, of: .text("b"))
    #expect(known.nextExpiry == start + 10)
    let none = known.takeExpired(at: start + 9)
    #expect(none.isEmpty)
    let both = known.takeExpired(at: start + 20)
    #expect(
      both == [
        EntryDifference(.expired, .text("b"), value: .text("value of b")),
        EntryDifference(.expired, .text("a"), value: .text("value of a")),
      ])
    let again = known.takeExpired(at: start + 30)
    #expect(again.isEmpty)
    #expect(known.nextExpiry == nil)
    // The entry was written again with a later expiry.
    known.beginRound()
    let entry = entry("a", "new")
    _ = known.take(entry, listed: entry, at: start + 30)
    known.setExpiry(start + 40, of: .text("a"))
    #expect(known.nextExpiry == start + 40)
    let later = known.takeExpired(at: start + 40)
    #expect(later == [EntryDifference(.expired, .text("a"), value: .text("new"))])
  }

  @Test func `A file written just now is read again`() {
    var known = StoreSnapshot()
    known.beginRound()
    let old = entry("old", "1", modified: start - 10)
    let fresh = entry("fresh", "1", modified: start - 0.01)
    for entry in [old, fresh] { _ = known.take(entry, listed: entry, at: start) }
    known.beginRound()
    let listed = [
      old, fresh, entry("old", "1", modified: start), entry("old", "12", modified: start - 10),
    ]
    // A second write may have left the fresh entry with the same time.
    let unchanged = listed.map { known.isUnchanged($0) }
    #expect(unchanged == [true, false, false, false])
  }
}
