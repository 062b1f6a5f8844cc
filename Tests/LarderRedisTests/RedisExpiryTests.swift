import Foundation
import Harmony
import HarmonyRedis
import LarderModel
import LarderOperations
import LarderStores
import RedisBench
import Testing

@testable import LarderRedis

/// Undo and redo of changes to entries that have expired since.
struct RedisExpiryTests {
  /// Performs changes that leave keys with a short time to live, and waits until the server has
  /// deleted them.
  ///
  /// On a slow machine, the changes are performed again with more time.
  private func expire(
    _ keys: [String], _ bench: RedisStoreBench, _ changes: (_ seconds: Int) async throws -> Void
  ) async throws {
    for seconds in [2, 10, 60, 300] {
      try await bench.run("FLUSHDB")
      try? await changes(seconds)
      let count = try await bench.run("EXISTS " + keys.joined(separator: " ")).integer
      if count == Int64(keys.count) { break }
    }
    while try await bench.run("EXISTS " + keys.joined(separator: " ")).integer != 0 {
      try await bench.run("BLPOP none 0.2")
    }
    _ = bench.store.warnings?.take()
  }

  private func isReplayable(_ request: ReplayRequest, _ bench: RedisStoreBench) async throws -> Bool
  {
    let history = try #require(bench.store.history)
    return try await history.conflicts(of: request, limit: 9).isEmpty
  }

  @Test func `an entry that expired by itself does not prevent undo`() async throws {
    let bench = try await RedisStoreBench()
    try await expire(["edited", "new", "touched", "timed"], bench) { seconds in
      for key in ["edited", "renamed"] { try await bench.run("SET \(key) v EX \(seconds + 1)") }
      for key in ["touched", "timed"] { try await bench.run("SET \(key) v") }
      try await bench.edit("edited", .text("w"))
      guard let old = try await bench.entry("renamed")?.fingerprint else { return }
      _ = try await bench.store.source.put(
        nil, in: RenameQuery(.text("renamed"), to: .text("new"), expecting: old)
      ).get()
      let soon = Date() + TimeInterval(seconds)
      _ = try await bench.store.setExpiry(ExpiryChange(.text("touched"), expires: soon))
      let imported = try await bench.store.imported([
        Entry(key: .text("timed"), value: .text("w"), expires: soon)
      ])
      _ = try await bench.store.source.put(imported[0], in: EntryQuery(.text("timed"))).get()
    }
    for _ in 0..<4 {
      #expect(try await isReplayable(ReplayRequest(), bench))
      try await bench.store.replay(ReplayRequest())
    }
    // Only the last one had no expiry before the change.
    #expect(try await bench.keys(EntryPageQuery()) == ["timed"])
    #expect(try await bench.value("timed") == .text("v"))
    #expect(bench.store.warnings?.take().count == 3)
  }

  @Test func `an entry that expired by itself does not prevent redo`() async throws {
    let bench = try await RedisStoreBench()
    try await expire(["k"], bench) { seconds in
      try await bench.run("SET k v EX \(seconds)")
      try await bench.edit("k", .text("w"))
      try await bench.store.replay(ReplayRequest())
    }
    #expect(try await isReplayable(ReplayRequest(isRedo: true), bench))
    try await bench.store.replay(ReplayRequest(isRedo: true))
    #expect(try await bench.entry("k") == nil)
  }

  @Test func `an entry that another program deleted prevents undo`() async throws {
    let bench = try await RedisStoreBench()
    try await bench.run("SET k v EX 1000")
    try await bench.edit("k", .text("w"))
    try await bench.run("DEL k")
    #expect(try await !isReplayable(ReplayRequest(), bench))
    let error = await #expect(throws: StoreError.self) {
      try await bench.store.replay(ReplayRequest())
    }
    #expect(error == .conflict(current: nil))
  }
}
