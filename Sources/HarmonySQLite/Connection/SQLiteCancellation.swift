import CSQLite
import Harmony

/// The cancellation of a database operation, which may be canceled from any thread.
///
/// It is exact: an operation that is canceled before it starts never runs, a running one stops at
/// its next step, and cancelling one that has ended does not affect the next on the connection.
public final class SQLiteCancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// The address of the connection while the operation runs on it.
    ///
    /// It may be used only under the lock, while the connection is known to be open.
    var connection: UInt?
  }

  private let state = Locked(State())

  /// Creates the cancellation of an operation that has not started.
  public init() {}

  /// Whether the operation was canceled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the operation, whether it is waiting, running or has ended.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      // This only sets a flag in the connection, which is cheap enough to do under the lock.
      if let connection = state.connection.flatMap({ OpaquePointer(bitPattern: $0) }) {
        sqlite3_interrupt(connection)
      }
    }
  }

  /// Allows `cancel` to interrupt the connection until `end` is called.
  func begin(_ connection: OpaquePointer) throws(SQLiteError) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.connection = UInt(bitPattern: connection) }
      return state.isCancelled
    }
    if isCancelled { throw .interrupted }
  }

  /// Prevents a later `cancel` from interrupting the connection.
  func end() {
    state.withLock { $0.connection = nil }
  }
}
