import Harmony

/// How far the source has come in answering one query, and how long it may take.
///
/// Made for one query, shared between the source and whoever waits, from any thread. A source
/// that examines entries one by one reports them here, and ends its page early when the budget is
/// spent: then `position` says where to go on, and `isComplete` stays false.
public final class Scan: Sendable {
  private struct State {
    var examined = 0
    var position: EntryKey?
    var isComplete = false
    var isReported = false
  }

  /// How long the source may look before it answers with what it has, or nil for no end.
  public let budget: Duration?
  private let state = Locked(State())

  /// Creates the report of a query that has not begun.
  public init(budget: Duration? = nil) {
    self.budget = budget
  }

  /// The number of entries looked at so far.
  public var examined: Int { state.withLock { $0.examined } }

  /// The key that was looked at last: the `after` of the query that goes on from here.
  public var position: EntryKey? { state.withLock { $0.position } }

  /// Whether the source came to the end of its entries.
  public var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Whether the source said anything: one that reads whole pages need not.
  public var isReported: Bool { state.withLock { $0.isReported } }

  /// Says how far the source has come.
  public func report(examined: Int, position: EntryKey?, isComplete: Bool) {
    state.withLock {
      $0 = State(
        examined: examined, position: position, isComplete: isComplete, isReported: true)
    }
  }
}
