import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderJournal
import LarderStores
import TestKinds
import Testing

/// Changes, their undo, dry runs and watching on every kind of store.
struct EveryKindTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  enum Verb: CaseIterable {
    case add, replace, delete, deletePrefix, deleteSeveral, rename, renameSeveral, expire, change
  }

  /// A store with its path.
  private struct Bench {
    let path: String
    let store: Store

    func fingerprint(_ key: String) async throws -> Fingerprint {
      try #require(try await store.source.entry(.text(key))?.fingerprint)
    }

    /// The values of all entries with their expiries.
    func contents() async throws -> [String: String] {
      let entries = try await store.source.getAll(AllObjectsQuery()).get()
      return Dictionary(
        uniqueKeysWithValues: entries.map {
          ($0.key.spoken, "\($0.value ?? .null) \($0.expires.map { "\($0)" } ?? "")")
        })
    }

    /// Whether the store has what the verb changes.
    func has(_ verb: Verb) -> Bool { verb != .expire || store.separateExpiries != nil }
  }

  /// Opens a store in a process of its own, as far as the journal is concerned.
  private func open(
    _ path: String, isRecorded: Bool = true, isReadOnly: Bool = false
  ) async throws -> Bench {
    let journal = isRecorded ? Journal(path: folder.file("state/journal.db")) : nil
    let open = try await Stores.open(
      StoreLocation(path: path), options: OpenOptions(isReadOnly: isReadOnly), journal: journal)
    return Bench(path: path, store: try await open.store(nil))
  }

  private func make(_ kind: TestedKind) async throws -> Bench {
    try await open(
      kind.make(in: folder.path, ["a:1": "one", "a:2": "two", "b": "three"]))
  }

  private func run(_ verb: Verb, _ bench: Bench) async throws {
    let store = bench.store
    let (a1, a2) = (EntryKey.text("a:1"), EntryKey.text("a:2"))
    let prints = (try await bench.fingerprint("a:1"), try await bench.fingerprint("a:2"))
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

  @Test(arguments: TestedKind.all, Verb.allCases)
  func `Each change is undone by another process and redone`(
    _ kind: TestedKind, _ verb: Verb
  ) async throws {
    let bench = try await make(kind)
    guard bench.has(verb) else { return }
    let before = try await bench.contents()
    try await run(verb, bench)
    let after = try await bench.contents()
    #expect(after != before)
    let other = try await open(bench.path)
    try await other.store.replay(ReplayRequest())
    #expect(try await bench.contents() == before)
    try await bench.store.replay(ReplayRequest(isRedo: true))
    #expect(try await other.contents() == after)
  }

  @Test(arguments: TestedKind.all, Verb.allCases)
  func `Undo does not overwrite changes by another program`(
    _ kind: TestedKind, _ verb: Verb
  ) async throws {
    let bench = try await make(kind)
    guard bench.has(verb) else { return }
    try await run(verb, bench)
    // Replaces every entry with one of another program, including deleted ones.
    let other = try await open(bench.path, isRecorded: false)
    let keys = Set(try await other.store.keys() + ["a:1", "a:2", "c"].map { .text($0) })
    for key in keys.sorted() {
      try await other.store.set(.text("mine"), key)
      guard other.has(.expire) else { continue }
      _ = try await other.store.setExpiries([
        ExpiryChange(key, expires: Date(timeIntervalSince1970: 1_000))
      ])
    }
    let others = try await other.contents()
    await #expect(throws: StoreError.self) { try await bench.store.replay(ReplayRequest()) }
    #expect(try await other.contents() == others)
    let conflicts = try await bench.store.history?.conflicts(of: ReplayRequest(), limit: 9)
    #expect(conflicts?.isEmpty == false)
  }

  @Test(arguments: TestedKind.all)
  func `A store that is opened read-only refuses changes`(_ kind: TestedKind) async throws {
    let bench = try await open(try await make(kind).path, isReadOnly: true)
    #expect(bench.store.history == nil)
    #expect(!bench.store.capabilities.contains(.writable))
    await #expect(throws: StoreError.self) {
      try await bench.store.source.delete(PrefixQuery("")).get()
    }
    #expect(try await bench.contents().count == 3)
  }

  @Test(arguments: TestedKind.all)
  func `A dry run writes nothing and fails as the change would`(_ kind: TestedKind) async throws {
    let bench = try await make(kind)
    guard let dryRun = bench.store.dryRun else { return }
    let before = try await bench.contents()
    let changes = [
      EntryChange(.text("b"), value: .text("new"), expecting: try await bench.fingerprint("b")),
      EntryChange(.text("a:1"), value: nil, expecting: nil),
    ]
    let after = try await dryRun.entries(after: .changes(ChangesQuery([changes[0]])))
    #expect(after.map(\.value) == [.text("new")])
    await #expect(throws: StoreError.self) {
      _ = try await dryRun.entries(after: .changes(ChangesQuery(changes)))
    }
    #expect(try await bench.contents() == before)
  }

  @Test(arguments: TestedKind.all)
  func `Entries are sorted by expiry`(_ kind: TestedKind) async throws {
    let bench = try await make(kind)
    guard bench.has(.expire) else { return }
    _ = try await bench.store.setExpiries([
      ExpiryChange(.text("b"), expires: Date(timeIntervalSince1970: 1_900_000_000)),
      ExpiryChange(.text("a:2"), expires: Date(timeIntervalSince1970: 1_800_000_000)),
    ])
    let page = EntryPageQuery(order: EntryOrder(.expires), limit: 2, detail: .summary)
    #expect(
      try await bench.store.source.getAll(page).getCancelling().map(\.key)
        == [.text("a:2"), .text("b")])
  }

  @Test(arguments: TestedKind.all)
  func `Changes by other programs are reported`(_ kind: TestedKind) async throws {
    let bench = try await make(kind)
    guard bench.store.changeFeed != nil else { return }
    var watcher = StoreWatcher(bench.store) { _ in }
    _ = try await watcher.begin()
    try await open(bench.path, isRecorded: false).store.set(.text("new"), .text("z"))
    var told: [EntryDifference] = []
    while told.isEmpty { _ = try await watcher.next { told.append($0) } }
    #expect(told.map(\.key) == [.text("z")])
    #expect(told.map(\.change) == [.added])
  }
}
