import LarderJournal
import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Undo of changes to defaults, byte for byte.
struct DefaultsUndoTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>first</key> <!-- kept --> <real>1.50</real>
      <key>second</key><string><![CDATA[x]]></string>
    <key>third</key><array><integer>1</integer></array>
    </dict>
    </plist>
    """

  @Test func `Undo restores every byte and the order of the keys`() async throws {
    let domain = TestDomain()
    try Data(Self.list.utf8).write(to: URL(fileURLWithPath: domain.list))
    func bytes() throws -> String { try String(contentsOfFile: domain.list, encoding: .utf8) }
    let store = try await bench.open(domain.location)
    let second = try await store.source.get(EntryQuery(.text("second"))).get()
    let works: [() async throws -> Void] = [
      { try await store.set(.text("y"), .text("second")) },
      { try await store.source.delete(EntryQuery(.text("second"))).get() },
      { try await store.set(.integer(1), .text("new")) },
      { try await store.source.delete(PrefixQuery("")).get() },
      {
        let rename = RenameQuery(
          second.key, to: .text("other"), expecting: try #require(second.fingerprint))
        _ = try await store.source.put(nil, in: rename).get()
      },
    ]
    for work in works {
      try await work()
      let after = try bytes()
      #expect(after != Self.list)
      try await bench.undo(store)
      #expect(try bytes() == Self.list)
      try await bench.undo(store, redo: true)
      #expect(try bytes() == after)
      try await bench.undo(store)
      #expect(try bytes() == Self.list)
    }
  }
}
