import Foundation
import Harmony
import LarderCore
import LarderStores
import Testing

/// Writing to a document while another larder writes to the same folder.
@Suite struct DocumentLockTests {
  @Test(arguments: [false, true])
  func `Who waits for the other is stopped before anything is written`(
    isRecorded: Bool
  ) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("{\"a\": 1}".utf8), to: "root/a.json")
    let journal = isRecorded ? Journal(path: folder.file("journal.db")) : nil
    let store = try await Stores.open(
      path, options: OpenOptions(busyTimeout: .seconds(2)), journal: journal
    ).store(nil)
    let directory = open(folder.file("root"), O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    try #require(flock(directory, LOCK_EX) == 0)
    let reads = isRecorded ? 1 : 0
    // Not before it waits: the journal asks once for each entry that it reads.
    let calls = Locked(0)
    let scan = Scan { scan in
      let isWaiting = calls.withLock { calls in
        calls += 1
        return calls > reads
      }
      if isWaiting { scan.stop() }
    }
    let change = EntryChange(.text("b"), value: .integer(2), expecting: nil)
    let query = ChangesQuery([change], scan: scan)
    let error = await #expect(throws: (any Error).self) {
      try await store.source.putAll([], in: query).get()
    }
    #expect(error.map { StoreError($0) } == .cancelled)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"a\": 1}")
  }
}
