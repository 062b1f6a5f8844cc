import Dispatch
import Foundation
import HarmonySQLite
import Testing

struct SQLiteFileTests {
  /// Whether this process holds a lock on the file that other processes can see.
  private func isLocked(_ descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // F_OFD_GETLK: unlike F_GETLK, it also sees the locks of this process.
    let result = withUnsafeMutablePointer(to: &lock) { fcntl(descriptor, 36, $0) }
    return result == 0 && lock.l_type != Int16(F_UNLCK)
  }

  @Test func closingAReaderOfAnAbandonedLogKeepsTheLocksOfAWriter() async throws {
    let file = try TestFile()
    let live = SQLiteConnection(path: file.path, access: .creating)
    let copy = file.folder + "/copy.db"
    try await live.perform { session in
      try session.execute("PRAGMA journal_mode=wal; CREATE TABLE t(v); INSERT INTO t VALUES(1)")
      try FileManager.default.copyItem(atPath: file.path, toPath: copy)
      try FileManager.default.copyItem(atPath: file.path + "-wal", toPath: copy + "-wal")
    }
    live.close()
    var reader: SQLiteConnection? = SQLiteConnection(path: copy)
    let second = SQLiteConnection(path: copy)
    for reader in [reader, second] {
      #expect(try await reader?.perform { try $0.rows("SELECT v FROM t") } == [[.integer(1)]])
    }
    let descriptor = open(copy, O_RDONLY | O_CLOEXEC)
    defer { SQLiteFile.close(descriptor) }
    let writer = SQLiteConnection(path: copy, access: .writing)
    let states = try await writer.perform { session in
      try session.write {
        try session.run("INSERT INTO t VALUES(2)")
        let before = isLocked(descriptor)
        second.close()
        return [before, isLocked(descriptor)]
      }
    }
    #expect(states == [true, true])
    reader = nil
    let rows = try await second.perform { try $0.rows("SELECT v FROM t") }
    #expect(rows == [[.integer(1)], [.integer(2)]])
  }

  @Test(arguments: [true, false])
  func `A program that closes its database while it is opened leaves no files`(isLogged: Bool)
    throws
  {
    let file = try TestFile()
    let live = SQLiteConnection(path: file.path, access: .creating)
    let mode = isLogged ? "wal" : "delete"
    try live.wait { session in
      try session.execute(
        "PRAGMA journal_mode=\(mode); CREATE TABLE t(v); INSERT INTO t VALUES(1)")
    }
    let isOpen = DispatchSemaphore(value: 0)
    let mayClose = DispatchSemaphore(value: 0)
    live.perform { session in
      // The other case: a database whose write-ahead log appears and disappears while it is opened.
      if isLogged { try session.run("INSERT INTO t VALUES(2)") }
      isOpen.signal()
      mayClose.wait()
      if !isLogged {
        try session.execute("PRAGMA journal_mode=wal; INSERT INTO t VALUES(2)")
      }
    } completion: { _ in
    }
    isOpen.wait()
    let reader = SQLiteConnection(path: file.path)
    let rows = try reader.wait { session in
      // The database has been opened but not read; now the program closes it.
      mayClose.signal()
      live.close()
      return try session.rows("SELECT v FROM t")
    }
    #expect(rows == [[.integer(1)], [.integer(2)]])
    reader.close()
    #expect(try file.names() == ["test.db"])
  }

  @Test func `A program that closes its database while it is read can clean up`() throws {
    let file = try TestFile()
    let live = SQLiteConnection(path: file.path, access: .creating)
    try live.wait { session in
      try session.execute("PRAGMA journal_mode=wal; CREATE TABLE t(v); INSERT INTO t VALUES(1)")
    }
    let isOpen = DispatchSemaphore(value: 0)
    let mayClose = DispatchSemaphore(value: 0)
    live.perform { session in
      try session.run("INSERT INTO t VALUES(2)")
      isOpen.signal()
      mayClose.wait()
    } completion: { _ in
    }
    isOpen.wait()
    let reader = SQLiteConnection(path: file.path)
    var readings: [[[SQLiteValue]]] = []
    let rows = try reader.wait { session in
      // In the middle of reading, the program closes the database.
      let rows = try session.rows("SELECT v FROM t")
      readings.append(rows)
      mayClose.signal()
      live.close()
      return try session.rows("SELECT v FROM t")
    }
    #expect(readings.first == [[.integer(1)], [.integer(2)]])
    #expect(rows == [[.integer(1)], [.integer(2)]])
    reader.close()
    #expect(try file.names() == ["test.db"])
  }
}
