import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import TestPrograms
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Guarantees that a write never destroys a user's only copy.
struct FolderSafetyTests {
  private func descriptors(_ name: String = "descriptors.db") throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + number)
      return target?.hasSuffix(name) == true
    }.count
  }

  @Test func `Reading an open database as a file leaks no descriptors`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(k)", name: "descriptors.db")
    let database = try await Stores.store(path)
    _ = try await database.keys()
    let files = try await Stores.store(folder.path)
    let bytes = try folder.bytes("descriptors.db")
    let before = try descriptors()
    for _ in 0..<20 {
      #expect(try await files.value(.text("descriptors.db")) == .data(bytes))
    }
    #expect(try descriptors() == before)
    withExtendedLifetime(database) {}
  }

  @Test func `Reading the index of an open WAL keeps a single descriptor`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(k); PRAGMA journal_mode=wal", name: "index.db")
    var writer: SQLiteConnection? = SQLiteConnection(path: path, access: .writing)
    let counts = try await writer?.perform { session in
      let root = try FolderDescriptor(root: folder.path)
      try session.run("INSERT INTO t VALUES(1)")
      return try (0..<20).map { _ in
        _ = try FolderReader(root: root).read(.text("index.db-shm"))
        return try descriptors("index.db-shm")
      }
    }
    #expect(counts.map { Set($0).count } == 1)
    writer = nil
    // The connection closes on its own queue.
    while try descriptors("index.db-shm") + descriptors("index.db-shm (deleted)") > 0 {
      await Task.yield()
    }
  }

  @Test func `A file with several hard links is not detached from them`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("root/other"))
    let store = try await Stores.store(folder.file("root"))
    let refused = await refusal { try await store.set(.text("2"), .text("file")) }
    #expect(refused?.contains("it has several names (hard links)") == true)
    #expect(try folder.bytes("root/file") == [0x31])
    #expect(try await store.keys() == [.text("file"), .text("other")])
    try await store.set(.text("1"), .text("file"))
    try await store.source.delete(EntryQuery(.text("other"))).get()
    try await store.set(.text("2"), .text("file"))
    #expect(try folder.bytes("root/file") == [0x32])
  }

  @Test func `A path through a file is refused with its name`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/a/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("root/link"), withDestinationPath: "a")
    #expect(mkfifo(folder.file("root/pipe"), 0o600) == 0)
    let store = try await Stores.store(folder.file("root"))
    for (key, sentence) in [
      ("a/file/x", "a/file is a file, so no path can lead through it; nothing was written"),
      ("a/file/sub/x", "a/file is a file, so no path can lead through it; nothing was written"),
      ("link/x", "link is a symbolic link, so no path can lead through it; nothing was written"),
      ("pipe/x", "pipe is a special file, so no path can lead through it; nothing was written"),
    ] {
      #expect(await refusal { try await store.set(.text("y"), .text(key)) } == sentence)
      await #expect(throws: CoreError.NotFound.self) { try await store.value(.text(key)) }
    }
    #expect(try await store.keys() == [.text("a/file"), .text("link"), .text("pipe")])
  }

  @Test func `A missing folder is reported`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/file")
    let store = try await Stores.store(folder.file("root"))
    try FileManager.default.removeItem(atPath: folder.file("root"))
    await #expect {
      try await store.value(.text("file"))
    } throws: { error in
      StoreError(error).code == "cannotOpen"
    }
  }

  @Test func `Links and special files have a type and a size`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x32], to: "root/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("root/link"), withDestinationPath: "file")
    #expect(mkfifo(folder.file("root/pipe"), 0o600) == 0)
    let store = try await Stores.store(folder.file("root"))
    for detail in [EntryPageQuery.Detail.summary, .values] {
      let page = try await store.source.getAll(EntryPageQuery(detail: detail)).get()
      #expect(page.map(\.size) == [1, 4, 0])
      #expect(page.dropFirst().allSatisfy { $0.type == .data && !$0.isWhole && $0.value == nil })
    }
  }

  @Test func `Reading the index of an open WAL does not release its locks`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(v); PRAGMA journal_mode=wal")
    let writer = SQLiteConnection(path: path, access: .writing)
    let statuses = try await writer.perform { session -> [Int32] in
      let root = try FolderDescriptor(root: folder.path)
      return try session.write {
        try session.run("INSERT INTO t VALUES(1)")
        var statuses = [try begin(path)]
        for name in ["test.db-shm", "test.db-wal", "test.db"] {
          for _ in 0..<3 { _ = try FolderReader(root: root).read(.text(name)) }
          _ = try StoreProbe(StoreLocation(path: folder.file(name)))
          statuses.append(try begin(path))
        }
        return statuses
      }
    }
    #expect(statuses.allSatisfy { $0 != 0 }, "no other process can write meanwhile: \(statuses)")
    #expect(try begin(path) == 0)
  }

  /// Starts a write transaction in another process and returns its exit status.
  private func begin(_ path: String) throws -> Int32 {
    try ChildProcess("sqlite3", [path, "BEGIN IMMEDIATE"]).wait()
  }

  @Test func `A seed that is an open database does not release its locks`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(v)")
    let writer = SQLiteConnection(path: path, access: .writing)
    let status = try await writer.perform { session in
      try session.write {
        try session.run("INSERT INTO t VALUES(1)")
        #expect(throws: StoreError.self) { try MemoryKind.entries(path) }
        return try begin(path)
      }
    }
    #expect(status != 0)
  }

  @Test
  func `Leftovers of a killed writer are removed, including a second link to the file it wrote`()
    async throws
  {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    let other = try folder.write([0x31], to: "root/other")
    let store = try await Stores.store(folder.file("root"))
    let directory = try FolderDescriptor(root: folder.file("root"))
    func draft(of path: String) throws -> String {
      let name = Array(URL(filePath: path).lastPathComponent.utf8)
      let status = try #require(try directory.status(of: name))
      let draft = "root/" + String(decoding: TemporaryName(of: status).bytes, as: UTF8.self)
      #expect(link(path, folder.file(draft)) == 0)
      return folder.file(draft)
    }
    let first = try draft(of: path)
    try await store.set(.text("2"), .text("file"))
    #expect(!FileManager.default.fileExists(atPath: first))
    // Another writer left this one after the store had already checked.
    let second = try draft(of: other)
    try await store.set(.text("2"), .text("other"))
    #expect(!FileManager.default.fileExists(atPath: second))
    #expect(try folder.bytes("root/other") == [0x32])
  }

  @Test func `Files of other programs that are named like temporary files stay`() async throws {
    let folder = try TestFolder()
    let other = try folder.write([0x31], to: "root/other")
    let directory = try FolderDescriptor(root: folder.file("root"))
    let status = try #require(try directory.status(of: Array("other".utf8)))
    let names = [
      ".larder-0123456789abcdef.tmp",
      String(decoding: TemporaryName(of: status).bytes, as: UTF8.self),
    ]
    for name in names { _ = try folder.write([0x39], to: "root/" + name) }
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("2"), .text("new"))
    for name in names { #expect(try folder.bytes("root/" + name) == [0x39]) }
    #expect(unlink(other) == 0)
    #expect(Set(try await store.keys()) == Set((names + ["new"]).map { .text($0) }))
    // An empty file, which a writer leaves if it is killed early, can be removed without loss.
    _ = try folder.write([], to: "root/" + names[0])
    try await Stores.store(folder.file("root")).set(.text("3"), .text("new"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("root/" + names[0])))
  }

  @Test func `The file of an active writer stays`() async throws {
    let folder = try TestFolder()
    let draft = try folder.write([], to: "root/.larder-0123456789abcdef.tmp")
    let file = open(draft, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("2"), .text("new"))
    #expect(FileManager.default.fileExists(atPath: draft))
  }

  @Test
  func `A file of another program that a kill left under a temporary name is kept and listed`()
    async throws
  {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/file")
    let directory = try FolderDescriptor(root: folder.file("root"))
    let read = try #require(try directory.status(of: Array("file".utf8)))
    let draft = try folder.write([0x39], to: "draft")
    let made = try #require(
      try FolderDescriptor(root: folder.path).status(of: Array("draft".utf8)))
    // The swap had moved out a file that no one had read, and the process was killed before it
    // swapped back.
    let aside = String(
      decoding: TemporaryName(taking: read, inExchangeFor: made).bytes, as: UTF8.self)
    #expect(rename(folder.file("root/file"), folder.file("root/" + aside)) == 0)
    #expect(rename(draft, folder.file("root/file")) == 0)
    // Old enough for the directory listing to be cached.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: folder.file("root"))
    var store = try await Stores.store(folder.file("root"))
    // Unchanged, it is the old version of the current file and is not listed.
    #expect(try await store.keys() == [.text("file")])
    _ = try folder.write([0x32, 0x33], to: "root/" + aside)
    #expect(try await store.keys() == [.text(aside), .text("file")])
    try await store.set(.text("4"), .text("file"))
    #expect(try folder.bytes("root/" + aside) == [0x32, 0x33])
    // It can be renamed back.
    try await store.source.delete(EntryQuery(.text("file"))).get()
    store = try await Stores.store(folder.file("root"))
    let found = try await store.source.get(EntryQuery(.text(aside))).get()
    let query = RenameQuery(
      .text(aside), to: .text("file"), expecting: try #require(found.fingerprint))
    try await store.source.put(nil, in: query).get()
    #expect(try folder.bytes("root/file") == [0x32, 0x33])
    #expect(try await store.keys() == [.text("file")])
  }

  @Test func `The old version of a file left under a temporary name by a kill is removed`()
    async throws
  {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    let directory = try FolderDescriptor(root: folder.file("root"))
    let read = try #require(try directory.status(of: Array("file".utf8)))
    let aside = String(decoding: TemporaryName(taking: read).bytes, as: UTF8.self)
    #expect(rename(path, folder.file("root/" + aside)) == 0)
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("4"), .text("other"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("root")) == ["other"])
  }

  @Test func `A file that changes after the comparison is not deleted`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    let writer = FolderWriter(
      try FolderDescriptor(root: folder.file("root")), FolderLeftovers())
    let key = EntryKey.text("file")
    let read = try #require(try FolderReader(root: writer.root).read(key))
    _ = try folder.write([0x32, 0x33], to: "root/file")
    #expect(throws: StoreError.conflict(current: Entry(key: key, value: .text("23")))) {
      do {
        _ = try writer.remove(key, asRead: read)
      } catch StoreError.conflict(let current) {
        throw StoreError.conflict(
          current: current.flatMap { current in current.value.map { Entry(key: key, value: $0) } })
      }
    }
    #expect(try folder.bytes("root/file") == [0x32, 0x33])
    #expect(unlink(path) == 0)
    #expect(throws: StoreError.conflict(current: nil)) {
      _ = try writer.remove(key, asRead: read)
    }
  }
}
