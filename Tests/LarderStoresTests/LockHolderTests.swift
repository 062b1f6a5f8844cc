import LarderJournal
import Harmony
import LarderModel
import LarderStores
import Testing

/// Detection of the process that locks a database.
struct LockHolderTests {
  private static let table = "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1);"

  /// Returns the error message of a write that fails to get its lock.
  private static func refusal(_ path: String) async throws -> String {
    let store = try await Stores.store(path, options: OpenOptions(busyTimeout: .zero))
    do {
      try await store.set(.integer(2), .text("a"))
      return "written"
    } catch {
      return StoreError(error).message
    }
  }

  @Test(arguments: ["", "PRAGMA journal_mode=wal;"])
  func `The writing process is named`(_ mode: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(mode + Self.table)
    var holder = try DocumentProcess(["lock", path, "BEGIN IMMEDIATE; DELETE FROM t"])
    #expect(holder.line() == "locked")
    let refusal = try await Self.refusal(path)
    #expect(
      refusal
        == "\(path) is locked by DocumentWriter (pid \(holder.process)); close it or try again")
    holder.kill()
    #expect(try await Self.refusal(path) == "written")
  }

  @Test func `A reader is named if it blocks the write`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(Self.table)
    var holder = try DocumentProcess(["lock", path, "BEGIN; SELECT * FROM t"])
    #expect(holder.line() == "locked")
    #expect(try await Self.refusal(path).contains("(pid \(holder.process))"))
    holder.kill()
  }

  @Test func `A process that only reads a WAL database is not named`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=wal;" + Self.table)
    var reader = try DocumentProcess(["lock", path, "BEGIN; SELECT * FROM t"])
    #expect(reader.line() == "locked")
    var writer = try DocumentProcess(["lock", path, "BEGIN IMMEDIATE; DELETE FROM t"])
    #expect(writer.line() == "locked")
    let refusal = try await Self.refusal(path)
    #expect(refusal.contains("by DocumentWriter (pid \(writer.process)); close it"))
    writer.kill()
    #expect(try await Self.refusal(path) == "written")
    reader.kill()
  }
}
