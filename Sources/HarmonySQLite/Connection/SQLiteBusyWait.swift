import CSQLite
import Foundation

/// A busy handler, which waits for locks of other connections until a timeout or cancellation.
///
/// SQLite's own busy timeout keeps sleeping when the operation is canceled. It is used only on the
/// connection's queue.
final class SQLiteBusyWait {
  let timeout: Duration
  var cancellation: SQLiteCancellation?
  private var start = ContinuousClock.now

  init(timeout: Duration) {
    self.timeout = timeout
  }

  /// Installs the handler on a connection, which must not outlive it.
  func install(on handle: OpaquePointer) {
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        guard let context else { return 0 }
        let wait = Unmanaged<SQLiteBusyWait>.fromOpaque(context).takeUnretainedValue()
        return wait.goesOn(attempt: attempt) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func goesOn(attempt: Int32) -> Bool {
    if attempt == 0 { start = .now }
    if cancellation?.isCancelled == true { return false }
    guard start.duration(to: .now) < timeout else { return false }
    Thread.sleep(forTimeInterval: min(0.001 * Double(1 << min(attempt, 5)), 0.025))
    return true
  }
}
