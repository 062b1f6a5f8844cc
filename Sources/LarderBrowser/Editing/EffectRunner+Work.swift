import LarderModel
import Harmony

extension EffectRunner {
  /// Finds out what is wrong with a large text that is typed.
  func check(_ editor: EditorModel, token: Int, send: Send) async {
    let problem = await Background.runCancelling(isAlone: true) { _ in
      var editor = editor
      editor.check()
      return editor.problem
    }
    guard let problem, !Task.isCancelled else { return }
    await send(.typedChecked(token: token, problem))
  }

  /// How often it is told how far a long work has come.
  private static let interval = Duration.milliseconds(100)

  /// Does something that may take long, tells how far it has come, and lets it be stopped.
  ///
  /// - Parameters:
  ///   - token: The token of the effect.
  ///   - send: Takes the reports, one after the other; the last one comes before this returns.
  ///   - work: The work, which reports to the scan.
  /// - Returns: What the work returns.
  func working<Value>(
    _ token: Int, send: @escaping Send, _ work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    var ended: Scan?
    do {
      return try await telling(send: send) {
        .worked(WorkReport(token: token, $0))
      } work: { scan in
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

  /// Does something that may take long, and tells now and then how far it has come.
  ///
  /// - Parameters:
  ///   - send: Takes the reports, one after the other; the last one comes before this returns.
  ///   - report: What there is to tell.
  ///   - work: The work, which reports to the scan.
  /// - Returns: What the work returns.
  func telling<Value>(
    send: @escaping Send, _ report: @escaping @Sendable (Scan) -> BrowserAction,
    work: (Scan) async throws -> Value
  ) async rethrows -> Value {
    // Of several reports that wait, the newest is enough.
    let (reports, continuation) = AsyncStream.makeStream(
      of: BrowserAction.self, bufferingPolicy: .bufferingNewest(1))
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
