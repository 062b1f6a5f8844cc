import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Files that a full disk leaves beside a database in WAL mode.
struct LeftoverLogTests {
  @Test(arguments: [true, false])
  func `An empty WAL beside a truncated index hides nothing`(isReadOnly: Bool) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "PRAGMA journal_mode=wal; CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1)"
    )
    for name in ["-wal", "-shm"] { unlink(path + name) }
    _ = try folder.write([], to: "test.db-wal")
    _ = try folder.write([0, 0, 0], to: "test.db-shm")
    let options = OpenOptions(isReadOnly: isReadOnly)
    let store = try await Stores.open(path, options: options).store(nil)
    #expect(try await store.value(.text("a")) == .integer(1))
    if isReadOnly {
      #expect(try folder.bytes("test.db-shm") == [0, 0, 0])
      #expect(try folder.bytes("test.db-wal").isEmpty)
    }
  }
}
