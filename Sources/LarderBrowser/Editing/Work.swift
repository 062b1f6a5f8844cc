import LarderModel
import LarderOperations
import Harmony

extension EffectRunner {
  /// How often it is told how far a long work has come.
  private static let interval = Duration.milliseconds(100)

  /// Does something that may take long, tells how far it has come, and lets it be stopped.
  ///
  /// - Parameters:
  ///   - token: The token of the work.
  ///   - send: Takes the reports, one after the other; the last one comes before this returns.
  ///   - work: The work, which reports to the scan.
  /// - Returns: What the work returns.
  func working<Value>(
    _ token: Int, _ send: @escaping Send, _ work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    var ended: Scan?
    do {
      return try await telling({ BrowserAction.worked(WorkReport(token: token, $0)) }, to: send) {
        scan in
        ended = scan
        registry.works.begin(token, scan)
        defer { registry.works.end(token) }
        return try await work(scan)
      }
    } catch {
      if let ended {
        var report = WorkReport(token: token, ended)
        report.isLast = true
        await send(.worked(report))
      }
      throw error
    }
  }

  /// Changes many entries of a store: tells how far that has come, lets it be stopped, and takes
  /// what is seen to change below a prefix meanwhile for the browser's own doing.
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

  /// Does something that may take long, and replies now and then how far it has come.
  ///
  /// - Parameters:
  ///   - report: What there is to tell.
  ///   - reply: Takes the reports, one after the other; the last one comes before this returns.
  ///   - work: The work, which reports to the scan.
  /// - Returns: What the work returns.
  func telling<Effect: BrowserEffect, Value>(
    _ report: @escaping @Sendable (Scan) -> Effect.Reply, to reply: Replies<Effect>,
    work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    try await telling(report, to: { await reply($0) }, work: work)
  }

  private func telling<Report: Sendable, Value>(
    _ report: @escaping @Sendable (Scan) -> Report,
    to send: @escaping @Sendable (Report) async -> Void,
    work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    // Of several reports that wait, the newest is enough.
    let (reports, continuation) = AsyncStream.makeStream(
      of: Report.self, bufferingPolicy: .bufferingNewest(1))
    let teller = Task { for await report in reports { await send(report) } }
    let last = Locked(ContinuousClock.now)
    let scan = Scan { scan in
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

/// Stops a change of many entries; what its effect replies says how far it came.
package struct StopWork: BrowserEffect {
  /// The token of the work.
  package let token: Int

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.works.stop(token)
  }
}

/// How far a work of many changes has come.
package struct WorkReport: Sendable, Equatable {
  /// The token of the effect.
  package var token: Int
  /// How many entries were read for it.
  package var read: Int
  /// How many changes were made, and stay if it ends now.
  package var changed: Int
  /// Whether it ended early with this.
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

/// The works that are under way, by the tokens of their effects.
final class Works: Sendable {
  private struct State {
    var scans: [Int: Scan] = [:]
    /// Those that were to be stopped before they began.
    var stopped: Set<Int> = []
  }

  private let state = Locked(State())

  func begin(_ token: Int, _ scan: Scan) {
    let isStopped = state.withLock { state in
      state.scans[token] = scan
      return state.stopped.remove(token) != nil
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
