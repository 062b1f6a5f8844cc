import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderStores

/// Journals written by much earlier versions of larder.
struct EarlierJournalTests {
  @Test(arguments: [1, 4])
  func `A journal that cannot be read any more is refused and left unchanged`(
    version: Int
  ) async throws {
    let bench = try JournalBench()
    let store = try await bench.open(
      try bench.folder.write(Array("{\"a\": 1}".utf8), to: "test.json"))
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("state"), withIntermediateDirectories: true)
    let connection = SQLiteConnection(path: bench.journal.path, access: .creating)
    try await connection.perform {
      try $0.execute("CREATE TABLE steps(number INTEGER); PRAGMA user_version=\(version)")
    }
    defer { connection.close() }
    for isRead in [true, false] {
      do {
        if isRead {
          _ = try await bench.journal.steps()
        } else {
          try await store.set(.integer(2), .text("a"))
        }
        Issue.record("nothing was refused")
      } catch StoreError.journal(let text) {
        #expect(text.contains("version \(version),"))
      }
    }
    #expect(try bench.folder.bytes("test.json") == Array("{\"a\": 1}".utf8))
    let found = try await connection.perform { try $0.rows("PRAGMA user_version").first?.first }
    #expect(found == .integer(Int64(version)))
  }
}
