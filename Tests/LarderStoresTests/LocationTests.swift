import Foundation
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderStores

/// Properties of a location that are known before anything in it is read.
struct LocationTests {
  @Test func `A location is the same under every path`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(v)", name: "real.db")
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.db")
    let first = try await Stores.open(path).resolvedPath
    #expect(first?.hasSuffix("/real.db") == true)
    for other in [link, "\(folder.path)/./real.db", "\(path)#t"] {
      #expect(try await Stores.open(other).resolvedPath == first)
    }
    #expect(try await Stores.open(folder.path + "/").resolvedPath.map { $0 + "/real.db" } == first)
    #expect(try await Stores.open("memory:").resolvedPath == nil)
  }

  @Test func `An existing WAL makes a writable folder unnecessary`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([], to: "app.db")
    #expect(WriteObstacle.ofDatabase(path) { _ in nil } == nil)
    #expect(
      WriteObstacle.ofDatabase(path) { $0 == path ? EROFS : nil }
        == "the file system that holds it is read-only")
    #expect(WriteObstacle.ofDatabase(path) { $0 == path ? EPERM : nil }?.contains("marked") == true)
    let folderOnly = { (name: String) -> Int32? in name.hasSuffix(".db") ? nil : EACCES }
    #expect(WriteObstacle.ofDatabase(path, obstacle: folderOnly)?.contains("its folder") == true)
    for name in ["-wal", "-shm"] { _ = try folder.write([], to: "app.db" + name) }
    let isFolder = { (name: String) -> Int32? in name.contains("app.db") ? nil : EACCES }
    #expect(WriteObstacle.ofDatabase(path, obstacle: isFolder) == nil)
    #expect(
      WriteObstacle.ofDatabase(path) { $0.hasSuffix("-wal") ? EACCES : nil }
        == "the permissions of app.db-wal beside it do not allow writing")
  }

  @Test func `A store has the read-only reason of its location`() async throws {
    let options = OpenOptions(isReadOnly: true)
    let folder = try TestFolder()
    let path = try await folder.database("CREATE TABLE t(v)")
    for location in [path, folder.path, "memory:"] {
      let open = try await Stores.open(location, options: options)
      #expect(open.readOnlyReason == "it was opened read-only")
      let store = try await open.store(nil)
      #expect(store.readOnlyReason == open.readOnlyReason)
      #expect(!store.capabilities.contains(.writable))
      #expect(try await Stores.open(location).readOnlyReason == nil)
    }
  }

  @Test func `The reason why a database cannot be written is reported`() {
    let onReadOnly = SQLiteMessages(path: "/disk/app.db") { path in
      WriteObstacle.ofDatabase(path) { _ in EROFS }
    }
    #expect(
      onReadOnly.storeError(SQLiteError(.readOnly)).message
        == "/disk/app.db cannot be written: the file system that holds it is read-only; "
        + "nothing was written")
    let unfinished = onReadOnly.storeError(SQLiteError(.readOnlyRollback)).message
    #expect(unfinished.contains("the file system that holds it is read-only. Copy both files"))
    #expect(!unfinished.contains("without --read-only"))
    let plain = SQLiteMessages(path: "/disk/app.db") { _ in nil }
    #expect(
      plain.storeError(SQLiteError(.readOnly)).message.contains(
        "its permissions or its folder's do not allow it; nothing was written"))
    #expect(
      plain.storeError(SQLiteError(.readOnlyRollback)).message.contains("without --read-only"))
  }

  @Test func `An unreadable WAL beside a database is named`() {
    let sentences = SQLiteMessages(
      path: "/disk/app.db", isReadable: { !$0.hasSuffix("-wal") })
    for code in [SQLiteResultCode.cannotOpen, .permission] {
      let message = sentences.storeError(SQLiteError(code, "unable to open")).message
      #expect(
        message.hasPrefix("/disk/app.db cannot be opened: app.db-wal beside it holds its latest"))
    }
    let index = SQLiteMessages(path: "/disk/app.db", isReadable: { !$0.hasSuffix("-shm") })
    #expect(
      index.storeError(SQLiteError(.cannotOpen)).message.hasPrefix(
        "/disk/app.db cannot be opened: app.db-shm beside it is needed to find its latest changes"))
    let own = SQLiteMessages(path: "/disk/app.db", isReadable: { _ in false })
    #expect(!own.storeError(SQLiteError(.cannotOpen)).message.contains("-wal"))
  }
}
