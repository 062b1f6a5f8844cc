import LarderModel
import LarderOperations
import Harmony

extension EffectRunner {
  /// The minimum time between two progress reports.
  private static let interval = Duration.milliseconds(100)

  /// Runs a long operation that reports its progress and can be stopped.
  ///
  /// - Parameters:
  ///   - token: The token of the operation.
  ///   - send: A closure that receives the reports, one at a time. The last call ends before this
  ///     method returns.
  ///   - work: The operation, which updates the scan.
  /// - Returns: The result of the operation.
  func working<Value>(
    _ token: Int, _ send: @escaping Send, _ work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    var ended: Scan?
    do {
      return try await telling(
        { BrowserAction.worked(BulkChangeProgress(token: token, $0)) }, to: send
      ) {
        scan in
        ended = scan
        registry.works.begin(token, scan)
        defer { registry.works.end(token) }
        return try await work(scan)
      }
    } catch {
      if let ended {
        var report = BulkChangeProgress(token: token, ended)
        report.isLast = true
        await send(.worked(report))
      }
      throw error
    }
  }

  /// Runs a bulk change of a store, which reports its progress and can be stopped.
  ///
  /// Changes seen below `prefix` in the meantime are treated as the browser's own.
  func changing<Value>(
    _ reference: StoreReference, below prefix: String? = nil, _ token: Int,
    _ send: @escaping Send,
    _ work: (StoreRegistry.Opened, Scan) async throws -> Value
  ) async -> OperationAnswer<Value> {
    await operation {
      try await working(token, send) { scan in
        try await registry.own.sweeping(prefix, in: reference) {
          try await work(try opened(reference), scan)
        }
      }
    }
  }

  /// Runs a long operation and replies with its progress from time to time.
  ///
  /// - Parameters:
  ///   - report: A closure that makes a reply from the scan.
  ///   - budget: The time after which the source returns what it has found; nil for no limit.
  ///   - reply: The receiver of the replies, one at a time. The last one is received before this
  ///     method returns.
  ///   - work: The operation, which updates the scan.
  /// - Returns: The result of the operation.
  func telling<Effect: BrowserEffect, Value>(
    _ report: @escaping @Sendable (Scan) -> Effect.Reply, budget: Duration? = nil,
    to reply: Replies<Effect>, work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    try await telling(report, budget, to: { await reply($0) }, work: work)
  }

  private func telling<Report: Sendable, Value>(
    _ report: @escaping @Sendable (Scan) -> Report, _ budget: Duration? = nil,
    to send: @escaping @Sendable (Report) async -> Void,
    work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    // Only the newest pending report matters.
    let (reports, continuation) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    let teller = Task { for await report in reports { await send(report) } }
    let last = Locked(ContinuousClock.now)
    let scan = Scan(budget: budget) { scan in
      let now = ContinuousClock.now
      let isTime = last.withLock { last in
        guard now - last >= Self.interval else { return false }
        last = now
        return true
      }
      if isTime { continuation.yield(report(scan)) }
    }
    do {
      let result = try await work(scan)
      continuation.finish()
      await teller.value
      return result
    } catch {
      continuation.finish()
      await teller.value
      throw error
    }
  }
}

/// Stops a bulk change, whose own effect then replies with the number of entries changed.
package struct CancelBulkChange: BrowserEffect {
  /// The token of the change.
  package let token: Int

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.works.stop(token)
  }
}

/// The progress of a bulk change.
package struct BulkChangeProgress: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// The number of entries read.
  package var read: Int
  /// The number of changes made, which persist if the operation ends now.
  package var changed: Int
  /// Whether the operation ended early with this report.
  package var isLast = false

  package init(token: Int, read: Int, changed: Int) {
    self.token = token
    self.read = read
    self.changed = changed
  }

  init(token: Int, _ scan: Scan) {
    self.init(token: token, read: scan.examined, changed: scan.changed)
  }
}

/// The bulk operations in progress, by the tokens of their effects.
final class BulkChanges: Sendable {
  private struct State {
    var scans: [Int: Scan] = [:]
    /// The tokens of operations that were stopped before they began, or after they ended.
    var stopped: Set<Int> = []
  }

  private let state = Locked(State())

  func begin(_ token: Int, _ scan: Scan) {
    let isStopped = state.withLock { state in
      state.scans[token] = scan
      let isStopped = state.stopped.contains(token)
      // Operations begin in the order of their tokens: earlier ones in the set had already ended.
      state.stopped = state.stopped.filter { $0 > token }
      return isStopped
    }
    if isStopped { scan.stop() }
  }

  func end(_ token: Int) {
    state.withLock { _ = $0.scans.removeValue(forKey: token) }
  }

  func stop(_ token: Int) {
    let scan = state.withLock { state in
      let scan = state.scans[token]
      if scan == nil { state.stopped.insert(token) }
      return scan
    }
    scan?.stop()
  }
}
