import LarderOperations
import Foundation
import Harmony
import LarderModel
import Testing

/// Warnings about an entry that was written.
struct WriteWarningsTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func warnings(
    _ given: StoredValue, as stored: StoredValue, expires seconds: Double? = nil,
    _ capabilities: StoreCapabilities = []
  ) -> Int {
    let store = Store(
      kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "test"), capabilities: capabilities, keyStyle: .text,
      source: AnyDataSource(InMemoryDataSource<Entry>()))
    var entry = Entry(key: .text("a"), value: stored)
    entry.expires = seconds.map { now.addingTimeInterval($0) }
    return store.warnings(ofWriting: Entry(key: .text("a"), value: given), as: entry, at: now).count
  }

  private func row(_ fields: (String, StoredValue)...) -> StoredValue {
    .record(fields.map { StoredValue.Field($0, $1) })
  }

  @Test func `Writing an entry that is still expired causes a warning`() {
    #expect(warnings(.text("v"), as: .text("v"), expires: -1) == 1)
    #expect(warnings(.text("v"), as: .text("v"), expires: 0) == 1)
    #expect(warnings(.text("v"), as: .text("v"), expires: 1) == 0)
    #expect(warnings(.text("v"), as: .text("v")) == 0)
  }

  @Test func `A value that the store changed causes a warning`() {
    #expect(warnings(.text("v"), as: .text("V")) == 1)
    #expect(warnings(.text("v"), as: .text("V"), expires: -1) == 2)
    #expect(warnings(.number("2.50"), as: .real(2.5)) == 0)
    #expect(warnings(.text("v"), as: .text("V"), [.hidesValues]) == 0)
  }

  @Test func `Only the given columns of a row are compared`() {
    let given = row(("a", .integer(1)), ("b", .text("x")))
    #expect(warnings(given, as: given) == 0)
    #expect(
      warnings(given, as: row(("a", .integer(1)), ("b", .text("x")), ("c", .integer(9)))) == 0)
    #expect(warnings(given, as: row(("a", .integer(1)), ("b", .text("X")))) == 1)
  }
}
