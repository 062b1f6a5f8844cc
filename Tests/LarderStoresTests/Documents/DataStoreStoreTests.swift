import Harmony
import LarderJournal
import LarderModel
import LarderStores
import Testing

/// Android's DataStore preferences as a store.
struct DataStoreStoreTests {
  /// A float `f`, a long `l` and a set `s`.
  private static let sample: [UInt8] =
    [0x0A, 10, 0x0A, 1, 0x66, 0x12, 5, 0x15, 0, 0, 0, 0x3F]
    + [0x0A, 7, 0x0A, 1, 0x6C, 0x12, 2, 0x20, 1]
    + [0x0A, 10, 0x0A, 1, 0x73, 0x12, 5, 0x32, 3, 0x0A, 1, 0x78]
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private func open(_ name: String) async throws -> Store {
    let journal = Journal(path: folder.file("state/journal.db"))
    return try await Stores.open(StoreLocation(path: folder.file(name)), journal: journal)
      .store(nil)
  }

  @Test func `A file is recognized by its content, and an empty one by its name`() async throws {
    #expect(
      try await Stores.open(folder.write(Self.sample, to: "any")).kind.name == "datastore")
    let path = try folder.write([], to: "a.preferences_pb")
    let empty = try await Stores.open(path)
    #expect(empty.kind.name == "datastore" && empty.readOnlyReason == nil)
    _ = try folder.write([], to: "empty")
    await #expect(throws: StoreError.self) { try await Stores.open(folder.file("empty")) }
    _ = try folder.write([0x0A, 9, 0x0A], to: "torn.preferences_pb")
    let error = await #expect(throws: StoreError.self) {
      try await Stores.open(folder.file("torn.preferences_pb"))
    }
    #expect(error?.code == "corrupt")
  }

  @Test func `Each change can be undone, up to the last byte and down to an empty file`()
    async throws
  {
    _ = try folder.write(Self.sample, to: "a.preferences_pb")
    let changes: [(Store) async throws -> Void] = [
      { _ = try await $0.set(.real(0.25), .text("f")) },
      { _ = try await $0.set(.text("y"), .text("l")) },
      { _ = try await $0.set(.text("z"), .composite([.text("s"), .integer(1)])) },
      { store in
        let entry = try await store.source.get(EntryQuery(.text("s"))).get()
        let query = RenameQuery(
          .text("s"), to: .text("t"), expecting: try #require(entry.fingerprint))
        _ = try await store.source.put(nil, in: query).get()
      },
      { try await $0.source.delete(EntryQuery(.text("f"))).get() },
      { try await $0.source.delete(PrefixQuery("")).get() },
    ]
    var states = [Self.sample]
    for change in changes {
      try await change(try await open("a.preferences_pb"))
      states.append(try folder.bytes("a.preferences_pb"))
    }
    #expect(Set(states).count == states.count && states.last == [])
    for state in states.dropLast().reversed() {
      try await open("a.preferences_pb").replay(ReplayRequest())
      #expect(try folder.bytes("a.preferences_pb") == state)
    }
  }

  @Test func `A restored entry has the type that its app expects`() async throws {
    _ = try folder.write(Self.sample, to: "a.preferences_pb")
    let store = try await open("a.preferences_pb")
    for name in ["f", "l"] { try await store.source.delete(EntryQuery(.text(name))).get() }
    // The file differs from what the deletions left, so that entries are restored, not bytes.
    let other: [UInt8] = [0x0A, 7, 0x0A, 1, 0x6F, 0x12, 2, 0x08, 1]
    _ = try folder.write(try folder.bytes("a.preferences_pb") + other, to: "a.preferences_pb")
    for _ in 0..<2 { try await store.replay(ReplayRequest()) }
    #expect(
      try folder.bytes("a.preferences_pb")
        == Array(Self.sample[21...]) + other + Self.sample[12..<21] + Self.sample[..<12])
  }

  @Test func `A change by the app is a conflict, and is not overwritten`() async throws {
    _ = try folder.write(Self.sample, to: "a.preferences_pb")
    let store = try await open("a.preferences_pb")
    let entry = try await store.source.get(EntryQuery(.text("l"))).get()
    // The same number, but an int.
    var changed = Self.sample
    changed[19] = 0x18
    _ = try folder.write(changed, to: "a.preferences_pb")
    let change = EntryChange(
      .text("l"), value: .integer(2), expecting: entry.fingerprint)
    let error = await #expect(throws: StoreError.self) {
      try await store.source.putAll([], in: ChangesQuery([change])).get()
    }
    #expect(error?.code == "conflict")
    #expect(try folder.bytes("a.preferences_pb") == changed)
  }

  @Test func `A file with unknown fields is read and not written`() async throws {
    let bytes = Self.sample + [0x10, 1]
    _ = try folder.write(bytes, to: "a.preferences_pb")
    let store = try await open("a.preferences_pb")
    #expect(try await store.value(.text("l")) == .integer(1))
    #expect(store.readOnlyReason != nil && !store.capabilities.contains(.writable))
    let error = await #expect(throws: StoreError.self) {
      try await store.set(.integer(2), .text("l"))
    }
    #expect(error?.code == "readOnly")
    #expect(try folder.bytes("a.preferences_pb") == bytes)
  }

  @Test func `Files in an app's folder are collections, also empty ones`() async throws {
    _ = try folder.write(Self.sample, to: "files/datastore/a.preferences_pb")
    _ = try folder.write([], to: "files/datastore/b.preferences_pb")
    let open = try await Stores.open(folder.path)
    #expect(
      open.collections.map(\.name) == [
        "files/datastore/a.preferences_pb", "files/datastore/b.preferences_pb", ".",
      ])
    let store = try await open.store("files/datastore/b.preferences_pb")
    try await store.set(.bool(true), .text("k"))
    #expect(
      try folder.bytes("files/datastore/b.preferences_pb")
        == [0x0A, 7, 0x0A, 1, 0x6B, 0x12, 2, 0x08, 1])
  }
}
