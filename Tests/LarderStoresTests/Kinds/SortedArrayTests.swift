import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderJournal
import LarderStores
import TestKinds
import Testing

/// Features that larder provides for a single-file kind.
struct SortedArrayTests {
  private let folder: TestFolder
  private let store: Store

  init() async throws {
    folder = try TestFolder()
    let open = try await SortedArrayKind.make(
      at: folder.file("a.array"), ["a:1": "one", "a:2": "two", "b": "three"])
    store = try await open.recording(in: Journal(path: folder.file("state/journal.db"))).store(nil)
  }

  enum Verb: CaseIterable {
    case add, replace, delete, deletePrefix, deleteSeveral, rename, renameSeveral, expire, change
  }

  private func fingerprint(_ key: String) async throws -> Fingerprint {
    try #require(try await store.source.entry(.text(key))?.fingerprint)
  }

  private func run(_ verb: Verb) async throws {
    let (a1, a2) = (EntryKey.text("a:1"), EntryKey.text("a:2"))
    let prints = (try await fingerprint("a:1"), try await fingerprint("a:2"))
    switch verb {
    case .add:
      try await store.source.put(
        Entry(key: .text("c"), value: .text("new")), in: ReplaceQuery(.text("c"), expecting: nil)
      ).get()
    case .replace:
      try await store.source.put(
        Entry(key: a1, value: .text("new")), in: ReplaceQuery(a1, expecting: prints.0)
      ).get()
    case .delete: try await store.source.delete(EntryQuery(a1, expecting: prints.0)).get()
    case .deletePrefix: try await store.source.delete(PrefixQuery("a:")).get()
    case .deleteSeveral:
      try await store.source.putAll(
        [],
        in: ChangesQuery([
          EntryChange(a1, value: nil, expecting: prints.0),
          EntryChange(a2, value: nil, expecting: prints.1),
        ])
      ).get()
    case .rename:
      try await store.source.put(
        nil, in: RenameQuery(a1, to: .text("c"), expecting: prints.0)
      ).get()
    case .renameSeveral:
      try await store.source.putAll(
        [],
        in: RenamesQuery([
          RenameQuery(a1, to: .text("c:1"), expecting: prints.0),
          RenameQuery(a2, to: .text("c:2"), expecting: prints.1),
        ])
      ).get()
    case .expire:
      _ = try await store.setExpiries([
        ExpiryChange(a1, expires: Date(timeIntervalSince1970: 1_900_000_000), expecting: prints.0)
      ])
    case .change:
      try await store.source.putAll(
        [],
        in: ChangesQuery([
          EntryChange(a1, value: .text("new"), expecting: prints.0),
          EntryChange(.text("c"), value: .text("newer"), expecting: nil),
          EntryChange(a2, value: nil, expecting: prints.1),
        ])
      ).get()
    }
  }

  private func file() throws -> String {
    String(decoding: try folder.bytes("a.array"), as: UTF8.self)
  }

  @Test(arguments: Verb.allCases)
  func `Each change is undone by another process and redone`(_ verb: Verb) async throws {
    let before = try file()
    try await run(verb)
    let after = try file()
    #expect(after != before)
    let again = try await SortedArrayKind.open(folder.file("a.array"))
      .recording(in: Journal(path: folder.file("state/journal.db"))).store(nil)
    try await again.replay(ReplayRequest())
    #expect(try file() == before)
    try await store.replay(ReplayRequest(isRedo: true))
    #expect(try file() == after)
  }

  @Test(arguments: Verb.allCases)
  func `Undo does not overwrite changes by another program`(_ verb: Verb) async throws {
    try await run(verb)
    // Replaces every entry with one of another program, including deleted ones.
    let keys = Set(try await store.keys().map { $0.notation(.text) } + ["a:1", "a:2", "c"]).sorted()
    let lines = ["# sorted array"] + keys.map { "\($0)\tmine\t1000" }
    let others = lines.joined(separator: "\n")
    try Data(others.utf8).write(to: URL(filePath: folder.file("a.array")))
    await #expect(throws: StoreError.self) { try await store.replay(ReplayRequest()) }
    #expect(try file() == others)
    #expect(try await store.history?.conflicts(of: ReplayRequest(), limit: 9).isEmpty == false)
  }

  @Test func `A store has the capabilities of its kind`() async throws {
    #expect(
      store.capabilities
        == [
          .ordered, .searchable, .prefixes, .types, .writable, .creates, .expiry, .looseTimes,
          .changeFeed, .undo,
        ])
    let readOnly = try await SortedArrayKind.open(folder.file("a.array"), isReadOnly: true)
      .recording(in: Journal(path: folder.file("state/journal.db"))).store(nil)
    #expect(readOnly.history == nil)
    await #expect(throws: StoreError.self) {
      try await readOnly.source.delete(PrefixQuery("")).get()
    }
  }

  @Test func `A dry run writes nothing and fails as the change would`() async throws {
    let before = try file()
    let changes = [
      EntryChange(.text("b"), value: .text("new"), expecting: try await fingerprint("b")),
      EntryChange(.text("a:1"), value: nil, expecting: nil),
    ]
    let dryRun = try #require(store.dryRun)
    let after = try await dryRun.entries(after: .changes(ChangesQuery([changes[0]])))
    #expect(after.map(\.value) == [.text("new")])
    await #expect(throws: StoreError.self) {
      _ = try await dryRun.entries(after: .changes(ChangesQuery(changes)))
    }
    #expect(try file() == before)
  }

  @Test func `Entries are sorted by expiry and changes by other programs are reported`()
    async throws
  {
    _ = try await store.setExpiries([
      ExpiryChange(.text("b"), expires: Date(timeIntervalSince1970: 1_900_000_000)),
      ExpiryChange(.text("a:2"), expires: Date(timeIntervalSince1970: 1_800_000_000)),
    ])
    let page = EntryPageQuery(order: EntryOrder(.expires), limit: 2, detail: .summary)
    #expect(
      try await store.source.getAll(page).getCancelling().map(\.key) == [.text("a:2"), .text("b")])
    var watcher = StoreWatcher(store) { _ in }
    _ = try await watcher.begin()
    try Data((try file() + "\nz\tnew\t").utf8).write(to: URL(filePath: folder.file("a.array")))
    var told: [EntryDifference] = []
    while told.isEmpty { _ = try await watcher.next { told.append($0) } }
    #expect(told == [EntryDifference(.added, .text("z"), value: .text("new"))])
  }
}
