import CSQLite
import Foundation

/// How long a connection waits for the locks of others, and whether it still has to.
///
/// SQLite's own busy timeout sleeps on when the operation is cancelled; this one does not.
/// Used on the connection's queue only.
final class SQLiteBusyWait {
  let timeout: Duration
  var cancellation: SQLiteCancellation?
  private var start = ContinuousClock.now

  init(timeout: Duration) {
    self.timeout = timeout
  }

  /// Makes the connection wait as this object says; the object must live as long as it.
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
