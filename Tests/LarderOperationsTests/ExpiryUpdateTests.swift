import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderOperations
import Testing

/// Setting and extending the expiry of several entries.
struct ExpiryUpdateTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let store = Store(
    kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
    location: StoreLocation(path: "test"), capabilities: [], keyStyle: .text,
    source: AnyDataSource(InMemoryDataSource<Entry>()))

  private func entry(_ key: String, _ seconds: Double?) -> Entry {
    var entry = Entry(key: .text(key), value: .text(key))
    entry.expires = seconds.map { now.addingTimeInterval($0) }
    return entry
  }

  private func update(_ text: String) throws -> ExpiryUpdate {
    ExpiryUpdate(try #require(ExpiryText(text)), in: store, at: now)
  }

  @Test func `Entries that never expire are skipped when others are extended`() throws {
    let plan = try update("+10m").plan([entry("a", 60), entry("b", nil), entry("c", -60)])
    #expect(plan.changes.map(\.key) == [.text("a"), .text("c")])
    #expect(
      plan.changes.map(\.expires) == [now.addingTimeInterval(660), now.addingTimeInterval(600)])
    #expect(plan.changes.map(\.expecting) == plan.entries.map(\.fingerprint))
    #expect(plan.note != nil)
  }

  @Test(arguments: ["10m", "never", "now"])
  func `Entries that never expire accept any absolute expiry`(text: String) throws {
    let plan = try update(text).plan([entry("a", 60), entry("b", nil)], areNamed: true)
    #expect(plan.changes.map(\.key) == [.text("a"), .text("b")])
    #expect(plan.note == nil)
  }

  @Test func `Extending only entries that never expire is refused`() throws {
    let update = try update("+10m")
    #expect(throws: StoreError.self) { try update.plan([entry("b", nil)]) }
    #expect(throws: StoreError.self) {
      try update.plan([entry("a", 60), entry("b", nil)], areNamed: true)
    }
    #expect(try update.plan([]).changes.isEmpty)
  }
}
