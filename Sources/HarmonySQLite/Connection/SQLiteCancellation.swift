import CSQLite
import Harmony

/// Cancels one operation on a database, from any thread.
///
/// Exact: an operation that was cancelled before it started never runs, one that runs is stopped
/// at its next step, and one that ended is never mistaken for its successor on the connection.
public final class SQLiteCancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// The connection while the operation runs on it.
    ///
    /// An address, as it may be used under the lock only, where it is known to be open.
    var connection: UInt?
  }

  private let state = Locked(State())

  /// Creates the switch of an operation that has not begun.
  public init() {}

  /// Whether the operation was cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops the operation, whether it waits, runs or has ended.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      // Sets a flag in the connection, no more: cheap enough to do under the lock.
      if let connection = state.connection.flatMap({ OpaquePointer(bitPattern: $0) }) {
        sqlite3_interrupt(connection)
      }
    }
  }

  /// Lets `cancel` interrupt the connection until `end`.
  func begin(_ connection: OpaquePointer) throws(SQLiteError) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.connection = UInt(bitPattern: connection) }
      return state.isCancelled
    }
    if isCancelled { throw .interrupted }
  }

  /// Keeps a later `cancel` away from the connection.
  func end() {
    state.withLock { $0.connection = nil }
  }
}
