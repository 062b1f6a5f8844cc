import Harmony
import HarmonyRedis
import LarderModel

/// A change feed that compares the counters of the server once a second.
///
/// It needs neither keyspace notifications, which are usually off, nor a command that slows the
/// server down.
final class RedisChangeFeed: ChangeFeed {
  private struct State {
    var counters: [[String?]]?
    var isRefused = false
  }

  private let client: RedisClient
  private let forget: @Sendable () -> Void
  private let state = Locked(State())

  /// The names of the counters in the reply to `INFO`, one of them changes with each write.
  private static let names = [
    "run_id", "rdb_changes_since_last_save", "rdb_last_save_time", "expired_keys", "evicted_keys",
  ]

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - forget: Is called after each change, before it is reported.
  init(_ client: RedisClient, forget: @escaping @Sendable () -> Void) {
    self.client = client
    self.forget = forget
  }

  var limitation: String? {
    state.withLock { $0.isRefused } ? Messages.changesNotCounted : nil
  }

  func next() async throws {
    // The first call only remembers the counters.
    while let before = state.withLock({ $0.counters }) {
      try await Task.sleep(for: .seconds(1))
      let now = try await counters()
      // A server that cannot be reached may have changed.
      if now == nil || now != before { break }
    }
    let now = try await counters()
    state.withLock { state in
      state.isRefused = now == nil
      state.counters = now ?? []
    }
    forget()
  }

  /// Returns the counters of all masters; nil if they cannot be read.
  private func counters() async throws -> [[String?]]? {
    do {
      var counters: [[String?]] = []
      for master in try await client.masters() {
        let info = RedisServerFacts.values(
          try await client.send(.read("INFO"), to: master).text ?? "")
        counters.append(Self.names.map { info[$0] })
      }
      return counters
    } catch is RedisError {
      return nil
    }
  }
}
