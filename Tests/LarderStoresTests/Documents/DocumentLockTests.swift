import Foundation
import Harmony
import LarderModel
import LarderJournal
import LarderStores
import Testing

/// Writing to a document while another larder process writes to the same folder.
@Suite struct DocumentLockTests {
  @Test(arguments: [false, true])
  func `A write can be cancelled while it waits for the lock`(
    isRecorded: Bool
  ) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("{\"a\": 1}".utf8), to: "root/a.json")
    let journal = isRecorded ? Journal(path: folder.file("journal.db")) : nil
    let store = try await Stores.open(
      path, options: OpenOptions(busyTimeout: .seconds(2)), journal: journal
    ).store(nil)
    let error = try await stop(store, after: isRecorded ? 1 : 0, holding: folder.file("root"))
    #expect(error == .cancelled)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"a\": 1}")
  }

  @Test(arguments: [false, true])
  func `A rename that waits is stopped too`(isRecorded: Bool) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("{\"a\": 1}".utf8), to: "root/a.json")
    let journal = isRecorded ? Journal(path: folder.file("journal.db")) : nil
    let store = try await Stores.open(
      path, options: OpenOptions(busyTimeout: .seconds(2)), journal: journal
    ).store(nil)
    let entry = try await store.source.get(EntryQuery(.text("a"))).get()
    let rename = RenameQuery(
      entry.key, to: .text("b"), expecting: try #require(entry.fingerprint))
    let error = try await stop(
      store, after: isRecorded ? 1 : 0, holding: folder.file("root")
    ) { RenamesQuery([rename], scan: $0) }
    #expect(error == .cancelled)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"a\": 1}")
  }

  @Test func `Who waits for a program with the same defaults is stopped too`() async throws {
    let domain = TestDomain()
    let store = try await Stores.open(
      domain.location, options: OpenOptions(busyTimeout: .seconds(2))
    ).store(nil)
    try await store.set(.integer(1), .text("a"))
    let lock = "\(domain.folder)/\(domain.name).harmony-lock"
    #expect(try await stop(store, after: 0, holding: lock) == .cancelled)
    #expect(try await store.keys() == [.text("a")])
  }

  /// Returns the error of a write that is stopped while it waits for a lock.
  private func stop(
    _ store: Store, after reads: Int, holding path: String,
    _ query: (Scan) -> any Query = { scan in
      ChangesQuery([EntryChange(.text("b"), value: .integer(2), expecting: nil)], scan: scan)
    }
  ) async throws -> StoreError? {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    try #require(flock(file, LOCK_EX) == 0)
    // Stops only once the write waits: the journal checks the scan once for each entry it reads.
    let calls = Locked(0)
    let scan = Scan { scan in
      let isWaiting = calls.withLock { calls in
        calls += 1
        return calls > reads
      }
      if isWaiting { scan.stop() }
    }
    let query = query(scan)
    let error = await #expect(throws: (any Error).self) {
      try await store.source.putAll([], in: query).get()
    }
    return error.map { StoreError($0) }
  }
}
