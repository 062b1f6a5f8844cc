import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Undo of changes to documents, byte for byte.
struct DocumentUndoTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private static let json = """
    {
      // of the first
      "first": [1.50, {"deep": 1e3}], // beside it
      "second" : "x", "twice": 1,
      /* of the third */ "third": {"a":1,   "b":[]},
      "twice": 2
    }
    """
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>first</key> <!-- kept --> <real>1.50</real>
      <key>second</key><string><![CDATA[x]]></string>
    <key>third</key><array><integer>1</integer></array>
    </dict>
    </plist>
    """
  private static let preferences = """
    <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
    <map>
        <float name="first" value="1.50" />
        <!-- kept --><string name='second'>x</string>
      <long value="3" name="third"/>
    </map>
    """

  private static func start(_ name: String) throws -> [UInt8] {
    switch name {
    case "json": Array(json.utf8)
    case "xml": Array(xml.utf8)
    case "preferences": Array(preferences.utf8)
    default:
      Array(
        try PropertyListSerialization.data(
          fromPropertyList: ["first": 1.5, "second": "x", "third": [1]] as [String: Any],
          format: .binary, options: 0))
    }
  }

  private func open() async throws -> Store {
    let journal = Journal(path: folder.file("state/journal.db"))
    return try await Stores.open(StoreLocation(path: folder.file("file")), journal: journal)
      .store(nil)
  }

  private func undo(isRedo: Bool = false) async throws {
    try await open().replay(ReplayRequest(isRedo: isRedo))
  }

  @Test(arguments: ["json", "xml", "preferences", "binary"])
  func `Undo and redo restore every byte`(_ name: String) async throws {
    _ = try folder.write(try Self.start(name), to: "file")
    let changes: [(Store) async throws -> Void] = [
      { try await $0.set(.text("y"), .text("second")) },
      { try await $0.source.delete(EntryQuery(.text("first"))).get() },
      { store in
        let entry = try await store.source.get(EntryQuery(.text("third"))).get()
        let print = try #require(entry.fingerprint)
        let query = RenameQuery(.text("third"), to: .text("fourth"), expecting: print)
        _ = try await store.source.put(nil, in: query).get()
      },
      { try await $0.source.delete(PrefixQuery("s")).get() },
      { try await $0.set(.text("z"), .text("new")) },
    ]
    var states = [try folder.bytes("file")]
    for change in changes {
      try await change(try await open())
      states.append(try folder.bytes("file"))
    }
    #expect(Set(states).count == changes.count + 1)
    for state in states.dropLast().reversed() {
      try await undo()
      #expect(try folder.bytes("file") == state)
    }
    for state in states.dropFirst() {
      try await undo(isRedo: true)
      #expect(try folder.bytes("file") == state)
    }
  }

  /// Returns the number of bytes of the file that the journal stores for each change, in order.
  private func revisions() async throws -> [Int64] {
    let journal = SQLiteConnection(path: folder.file("state/journal.db"))
    defer { journal.close() }
    return try await journal.perform {
      try $0.rows(
        "SELECT ifnull(length(bytes), 0) FROM steps LEFT JOIN records ON step = number "
          + "ORDER BY number"
      ).compactMap {
        if case .integer(let size)? = $0.first { size } else { nil }
      }
    }
  }

  @Test func `Undo restores nested deleted members, and one of two with the same name`()
    async throws
  {
    let text = #"{"b": {"x": 1, "y": [1, 2]}, "a": 1, "a": 2, "c": 3}"#
    _ = try folder.write(Array(text.utf8), to: "file")
    let b = try await open().source.get(EntryQuery(.text("b"))).get()
    let inner = EntryKey.composite([.text("b"), .text("x")])
    let x = try await open().source.get(EntryQuery(inner)).get()
    let both = ChangesQuery([
      EntryChange(b.key, value: nil, expecting: b.fingerprint),
      EntryChange(inner, value: nil, expecting: x.fingerprint),
    ])
    _ = try await open().source.putAll([], in: both).get()
    try await undo()
    #expect(try folder.bytes("file") == Array(text.utf8))
    try await undo(isRedo: true)
    // It has to be restored by value, because the bytes no longer match.
    _ = try folder.write(Array(#"{"a": 1, "a": 2, "c": 4}"#.utf8), to: "file")
    try await undo()
    #expect(try await open().source.get(EntryQuery(.text("b"))).get().value == b.value)
    _ = try folder.write(Array(text.utf8), to: "file")
    try await open().source.delete(PrefixQuery("a")).get()
    try await undo()
    #expect(try folder.bytes("file") == Array(text.utf8))
    let a = try await open().source.get(EntryQuery(.text("a"))).get()
    let rename = RenameQuery(a.key, to: .text("z"), expecting: try #require(a.fingerprint))
    _ = try await open().source.put(nil, in: rename).get()
    try await undo()
    #expect(try folder.bytes("file") == Array(text.utf8))
  }

  @Test func `One of two members with the same name is restored beside changes by another program`()
    async throws
  {
    _ = try folder.write(Array(#"{"a": 1, "a": 2, "c": 3}"#.utf8), to: "file")
    try await open().source.delete(PrefixQuery("a")).get()
    _ = try folder.write(Array(#"{"a": 2, "c": 4}"#.utf8), to: "file")
    try await undo()
    let store = try await open()
    #expect(try await store.value(.text("a")) == .integer(1))
    let second = EntryKey.composite([.text("a"), .null, .integer(1)])
    #expect(try await store.value(second) == .integer(2))
    #expect(try await store.value(.text("c")) == .integer(4))
  }

  @Test func `Stored file contents are discarded to make room for changes`() async throws {
    _ = try folder.write(Array("{\"a\": \"\", \"b\": 1}".utf8), to: "file")
    let journal = Journal(path: folder.file("state/journal.db"), limit: 128 << 10)
    let store = try await Stores.open(StoreLocation(path: folder.file("file")), journal: journal)
      .store(nil)
    for letter in "abcdefghijkl" {
      try await store.set(.text(String(repeating: letter, count: 3_000)), .text("a"))
    }
    let sizes = try await revisions()
    #expect(sizes.count == 12)
    #expect(sizes.contains(0))
    #expect((sizes.last ?? 0) > 3_000)
    for _ in 0..<12 { try await undo() }
    #expect(try folder.bytes("file") == Array("{\"a\": \"\", \"b\": 1}".utf8))
  }

  @Test func `Undo keeps changes by another program and restores the value`() async throws {
    _ = try folder.write(Array(Self.json.utf8), to: "file")
    try await open().source.delete(EntryQuery(.text("first"))).get()
    let theirs = String(decoding: try folder.bytes("file"), as: UTF8.self)
      .replacing("\"second\" : \"x\"", with: "\"second\" : \"theirs\"")
    _ = try folder.write(Array(theirs.utf8), to: "file")
    try await undo()
    let store = try await open()
    #expect(try await store.value(.text("second")) == .text("theirs"))
    let first = StoredValue.array([.number("1.50"), .dictionary([.init("deep", .number("1e3"))])])
    #expect(try await store.value(.text("first")) == first)
  }

  @Test func `A journal of the version before this one is upgraded`() async throws {
    _ = try folder.write(Array(Self.json.utf8), to: "file")
    try await open().set(.text("y"), .text("second"))
    let journal = SQLiteConnection(path: folder.file("state/journal.db"), access: .writing)
    try await journal.perform {
      try $0.execute(
        """
        ALTER TABLE steps ADD COLUMN revision BLOB;
        ALTER TABLE steps ADD COLUMN spare INTEGER NOT NULL DEFAULT 0;
        UPDATE steps SET revision = (SELECT bytes FROM records WHERE step = number), spare = 1;
        DROP TABLE records;
        PRAGMA user_version=5
        """)
    }
    // Reading does not upgrade it, so that an earlier version can still use it.
    #expect(try await Journal(path: folder.file("state/journal.db")).steps().count == 1)
    let found = try await journal.perform { try $0.rows("PRAGMA user_version").first?.first }
    #expect(found == .integer(5))
    journal.close()
    try await open().source.delete(EntryQuery(.text("first"))).get()
    try await undo()
    try await undo()
    #expect(try folder.bytes("file") == Array(Self.json.utf8))
  }

  @Test func `A journal full of other changes still stores the bytes of the last file`()
    async throws
  {
    let journal = Journal(path: folder.file("state/journal.db"), limit: 32 << 10)
    let path = try await folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', zeroblob(14000))")
    let table = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    try await table.source.delete(EntryQuery(.text("a"))).get()
    let text = "{\"a\": 1, \"b\": 2, \"c\": 3}"
    _ = try folder.write(Array(text.utf8), to: "file")
    let store = try await Stores.open(
      StoreLocation(path: folder.file("file")), journal: journal
    ).store(nil)
    try await store.source.delete(EntryQuery(.text("a"))).get()
    try await store.replay(ReplayRequest())
    #expect(String(decoding: try folder.bytes("file"), as: UTF8.self) == text)
  }

  @Test func `The journal does not store the bytes of a file that is too large`() async throws {
    let long = String(repeating: "x", count: 7 << 20)
    _ = try folder.write(Array("{\"a\": \"\(long)\", \"b\": 1} // end".utf8), to: "file")
    try await open().source.delete(EntryQuery(.text("a"))).get()
    #expect(try await revisions() == [0])
    try await undo()
    #expect(try await open().value(.text("a")) == .text(long))
    #expect(String(decoding: try folder.bytes("file").suffix(6), as: UTF8.self) == "// end")
  }

  @Test(arguments: ["json", "xml", "preferences"])
  func `A kill between writing the file and the journal loses no byte`(name: String) async throws {
    let start = try Self.start(name)
    _ = try folder.write(start, to: "file")
    let journal = SQLiteConnection(path: folder.file("state/journal.db"), access: .writing)
    try await open().source.put(
      Entry(key: .text("third"), value: .text("before")), in: EntryQuery(.text("third"))
    ).get()
    try await open().replay(ReplayRequest())
    // Fails as if the process were killed after it wrote the file.
    try await journal.perform {
      try $0.execute(
        """
        CREATE TRIGGER dead BEFORE UPDATE OF pending ON steps WHEN new.pending = 0
        BEGIN SELECT RAISE(ABORT, 'dead'); END;
        """)
    }
    let store = try await open()
    try await store.source.delete(EntryQuery(.text("third"))).get()
    #expect(try folder.bytes("file") != start)
    try await journal.perform {
      try $0.execute("DROP TRIGGER dead; UPDATE steps SET process = '1:0' WHERE pending")
    }
    journal.close()
    try await open().replay(ReplayRequest())
    #expect(try folder.bytes("file") == start)
    try await open().replay(ReplayRequest(isRedo: true))
    try await open().replay(ReplayRequest())
    #expect(try folder.bytes("file") == start)
  }
}
