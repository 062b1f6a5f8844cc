import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderBrowser
import LarderStores
import Testing

/// Watching a store that other processes change.
struct WatchTests {
  /// A watched store.
  private struct Watched {
    var watcher: StoreWatcher

    init(_ store: Store, prefix: String = "", limit: Int = 1_000) async throws {
      #expect(store.capabilities.contains(.changeFeed))
      watcher = StoreWatcher(store, prefix: prefix, limit: limit) { _ in }
      _ = try await watcher.begin()
    }

    /// Returns the changes since the last check.
    mutating func next() async throws -> [EntryDifference] {
      var differences: [EntryDifference] = []
      _ = try await watcher.next { differences.append($0) }
      return differences
    }

    /// Returns the next changes, checking until there are some.
    mutating func some() async throws -> [EntryDifference] {
      while true {
        let differences = try await next()
        if !differences.isEmpty { return differences }
      }
    }
  }

  private let table =
    "CREATE TABLE kv(k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES('a', 1), ('b', 2)"
  private let expected = [
    EntryDifference(.changed, .text("a"), value: .text("one"), old: .integer(1)),
    EntryDifference(.added, .text("c"), value: .integer(3)),
    EntryDifference(.removed, .text("b"), old: .integer(2)),
  ]
  private let script =
    "UPDATE kv SET v = 'one' WHERE k = 'a'; INSERT INTO kv VALUES('c', 3); "
    + "DELETE FROM kv WHERE k = 'b'"

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"], [false, true])
  func `A transaction of another process is reported`(_ mode: String, isReadOnly: Bool) async throws
  {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=\(mode); \(table)")
    let before = try folder.names()
    let options = OpenOptions(isReadOnly: isReadOnly)
    var watched = try await Watched(try await Stores.store(path, "kv", options: options))
    #expect(try folder.names() == before, "watching makes no file")
    try Outsider.run("sqlite3", path, script)
    #expect(try await watched.some() == expected)
    // The shell may delete a journal that an earlier writer left.
    #expect(Set(try folder.names()).isSubset(of: before))
    try Outsider.run("sqlite3", path, "UPDATE kv SET v = 'two' WHERE k = 'a'")
    #expect(
      try await watched.some() == [
        EntryDifference(.changed, .text("a"), value: .text("two"), old: .text("one"))
      ])
  }

  @Test func `Changes by a writer that keeps its WAL open are seen`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=WAL; \(table)")
    var watched = try await Watched(try await Stores.store(path, "kv"))
    let writer = SQLiteConnection(path: path, access: .writing)
    for number in 0..<3 {
      try await writer.perform {
        try $0.execute("INSERT INTO kv VALUES('new\(number)', \(number))")
      }
      #expect(
        try await watched.some() == [
          EntryDifference(.added, .text("new\(number)"), value: .integer(Int64(number)))
        ])
    }
  }

  @Test func `A replaced database is still watched`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(table)
    try Outsider.run("ln", "-s", path, folder.file("link"))
    var watched = try await Watched(try await Stores.store(folder.file("link"), "kv"))
    for number in 1...2 {
      let copy = folder.file("copy")
      try Outsider.run("cp", path, copy)
      try Outsider.run("sqlite3", copy, "UPDATE kv SET v = 'copy \(number)' WHERE k = 'a'")
      try Outsider.run("mv", copy, path)
      let differences = try await watched.some()
      #expect(differences.map(\.value) == [.text("copy \(number)")])
    }
  }

  @Test func `No lock is held between changes`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(table)
    var watched = try await Watched(try await Stores.store(path, "kv"))
    try Outsider.run("sqlite3", path, "BEGIN EXCLUSIVE; UPDATE kv SET v = 5; COMMIT; VACUUM")
    #expect(try await watched.some().count == 2)
  }

  @Test func `Files in new folders are reported`() async throws {
    let folder = try TestFolder()
    _ = try folder.write(Array("old".utf8), to: "root/one")
    _ = try folder.write(Array("old".utf8), to: "root/sub/two")
    var watched = try await Watched(try await Stores.store(folder.file("root")))
    try Outsider.python(
      """
      import os
      open('root/one', 'w').write('new')
      os.remove('root/sub/two')
      os.makedirs('root/deep/er')
      open('root/deep/er/three', 'w').write('x')
      """, in: folder)
    #expect(
      try await watched.some() == [
        EntryDifference(.added, .text("deep/er/three"), value: .text("x")),
        EntryDifference(.changed, .text("one"), value: .text("new"), old: .text("old")),
        EntryDifference(.removed, .text("sub/two"), old: .text("old")),
      ])
    // The new folders are watched by now, and a write within one clock tick is noticed.
    try Outsider.python("open('root/deep/er/three', 'w').write('y')", in: folder)
    #expect(
      try await watched.some() == [
        EntryDifference(.changed, .text("deep/er/three"), value: .text("y"), old: .text("x"))
      ])
  }

  @Test(arguments: ["written in place", "replaced"])
  func `A document is watched`(_ way: String) async throws {
    let folder = try TestFolder()
    let documents: [(name: String, old: String, new: String)] = [
      ("a.json", #"{"k": "old", "same": 1}"#, #"{"k": "new", "same": 1}"#),
      (
        "a.plist", "<plist><dict><key>k</key><string>old</string></dict></plist>",
        "<plist><dict><key>k</key><string>new</string></dict></plist>"
      ),
      (
        "a.xml", #"<map><string name="k">old</string></map>"#,
        #"<map><string name="k">new</string></map>"#
      ),
    ]
    for document in documents {
      let header = document.name == "a.json" ? "" : "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      let path = try folder.write(Array((header + document.old).utf8), to: document.name)
      try Outsider.run("ln", "-sf", path, folder.file("link"))
      var watched = try await Watched(try await Stores.store(folder.file("link")))
      let place = way == "replaced" ? "new" : document.name
      try Outsider.python(
        """
        import os
        open('\(place)', 'w').write('''\(header + document.new)''')
        if '\(place)' == 'new': os.rename('new', '\(document.name)')
        """, in: folder)
      #expect(
        try await watched.some() == [
          EntryDifference(.changed, .text("k"), value: .text("new"), old: .text("old"))
        ], "\(document.name)")
    }
  }

  @Test func `A respelled value is unchanged, but a different type is a change`()
    async throws
  {
    let header = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    let folder = try TestFolder()
    let documents = [
      (
        "a.json", #"{"a": "\u00fc", "o": {"x": 1, "y": "A"}, "n": 1.0}"#,
        #"{"a": "ü", "o": { "x":1,"y": "\u0041"}, "n": 1.00}"#,
        EntryDifference(.changed, .text("n"), value: .number("1.00"), old: .real(1))
      ),
      (
        "a.plist",
        header + "<plist><dict><key>k</key><string>a&lt;b</string><key>n</key><string>1</string>"
          + "</dict></plist>",
        header + "<plist><dict><key>k</key><string>a&#60;b</string><key>n</key><integer>1</integer>"
          + "</dict></plist>",
        EntryDifference(.changed, .text("n"), value: .integer(1), old: .text("1"))
      ),
      (
        "a.xml", header + #"<map><string name="k">A</string><long name="n" value="1" /></map>"#,
        header + #"<map><string name="k">&#65;</string><int name="n" value="1" /></map>"#,
        EntryDifference(.changed, .text("n"), value: .integer(1), old: .integer(1))
      ),
    ]
    for (name, old, new, difference) in documents {
      let path = try folder.write(Array(old.utf8), to: name)
      var watched = try await Watched(try await Stores.store(path))
      _ = try folder.write(Array(new.utf8), to: name)
      #expect(try await watched.some() == [difference], "\(name)")
    }
  }

  @Test func `Defaults are watched before their file exists`() async throws {
    let domain = TestDomain()
    var watched = try await Watched(try await Stores.open(domain.location).store(nil))
    #expect(try domain.ask("write", "k", "1") == "done")
    #expect(try await watched.some() == [EntryDifference(.added, .text("k"), value: .text("1"))])
    #expect(try domain.ask("set", "k", "2") == "done")
    #expect(
      try await watched.some() == [
        EntryDifference(.changed, .text("k"), value: .text("2"), old: .text("1"))
      ])
  }

  @Test func `A store in memory cannot be watched`() async throws {
    let store = try await Stores.open("memory:").store(nil)
    #expect(!store.capabilities.contains(.changeFeed))
    var watcher = StoreWatcher(store) { _ in }
    let error = await #expect(throws: StoreError.self) { _ = try await watcher.begin() }
    guard case .notSupported? = error else {
      Issue.record("refused as something else")
      return
    }
  }

  @Test func `Deleting a store ends the watch`() async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("{}".utf8), to: "a.json")
    var watched = try await Watched(try await Stores.store(path))
    try Outsider.run("rm", path)
    await #expect(throws: StoreError.self) { try await watched.some() }
  }

  @Test func `Too many entries are reported without their names`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(table)
    let store = try await Stores.store(path, "kv")
    var watcher = StoreWatcher(store, limit: 1) { _ in }
    #expect(try await watcher.begin() == .more(than: 1))
    try Outsider.run("sqlite3", path, script)
    #expect(try await watcher.next { _ in Issue.record("too many to be named") })
    var few = try await Watched(store, prefix: "a", limit: 1)
    try Outsider.run("sqlite3", path, "UPDATE kv SET v = v || '!'")
    #expect(try await few.some().map(\.key) == [.text("a")])
  }

  @Test func `A cancelled wait ends`() async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(table), "kv")
    let feed = try #require(store.changeFeed?())
    try await feed.next()
    let waiting = Task { try await feed.next() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    // The feed still works afterwards.
    try Outsider.run("sqlite3", folder.file("test.db"), script)
    try await feed.next()
  }
}
