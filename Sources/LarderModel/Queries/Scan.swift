import Harmony

/// How far the source has come in answering one query, and how long it may take.
///
/// Made for one query, shared between the source and whoever waits, from any thread. A source
/// that examines entries one by one reports them here, and ends its page early when the budget is
/// spent: then `position` says where to go on, and `isComplete` stays false. One that makes many
/// changes reports those, and stops where whoever waits says so.
public final class Scan: Sendable {
  private struct State {
    var examined = 0
    var position: EntryKey?
    var isComplete = false
    var isReported = false
    var changed = 0
    var step: Int64?
    var isStopped = false
    var stops: [@Sendable () -> Void] = []
    var fault: EntryKey?
    var unreadable: [(key: EntryKey, reason: StoreError)] = []
  }

  /// How long the source may look before it answers with what it has, or nil for no end.
  public let budget: Duration?
  private let told: (@Sendable (Scan) -> Void)?
  private let state = Locked(State())

  /// Creates the report of a query that has not begun.
  ///
  /// - Parameters:
  ///   - budget: How long the source may look before it answers with what it has; nil for no end.
  ///   - told: Called where the source works, each time that it reports something.
  public init(budget: Duration? = nil, told: (@Sendable (Scan) -> Void)? = nil) {
    self.budget = budget
    self.told = told
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
      $0.examined = examined
      $0.position = position
      $0.isComplete = isComplete
      $0.isReported = true
    }
    told?(self)
  }
}

extension Scan {
  /// The entries of which it could not be told whether they match, as their values could not be read or
  /// a regular expression gave up, with the reason: a list without them is not whole.
  public var unreadable: [(key: EntryKey, reason: StoreError)] { state.withLock { $0.unreadable } }

  /// Says that the value of an entry could not be looked at, or not told whether the entry matches.
  public func report(unreadable key: EntryKey, _ reason: StoreError) {
    state.withLock { $0.unreadable.append((key, reason)) }
  }
}

extension Scan {
  /// Says what another scan, of a part of the entries, was told of those that could not be looked at.
  package func addUnreadable(from part: Scan) {
    for (key, reason) in part.unreadable { report(unreadable: key, reason) }
  }
}

// MARK: Many changes

extension Scan {
  /// How many of the changes are made, and stay if it ends now.
  public var changed: Int { state.withLock { $0.changed } }

  /// Whether no further change is wanted.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Asks the source to make no further change.
  ///
  /// One with transactions makes none then; others leave what they have made. Either ends with a
  /// `CancellationError`, unless all was done by then.
  public func stop() {
    let stops = state.withLock { state in
      defer { state.stops = [] }
      state.isStopped = true
      return state.stops
    }
    for stop in stops { stop() }
  }

  /// Has something called when no further change is wanted, at once where that is so already: for a
  /// source that does much in one go.
  package func onStop(_ stop: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.stops.append(stop) }
      return state.isStopped
    }
    if isStopped { stop() }
  }

  /// Says how many of the entries to change were read.
  ///
  /// - Throws: `CancellationError` where no change is wanted any more.
  public func reportRead(_ count: Int) throws(CancellationError) {
    state.withLock { $0.examined = count }
    try goOn()
  }

  /// Says how many changes were made.
  ///
  /// - Throws: `CancellationError` where no further one is wanted.
  public func reportChanged(_ count: Int) throws(CancellationError) {
    state.withLock { $0.changed = count }
    try goOn()
  }

  /// Says that the source waits for others before it makes any change.
  ///
  /// - Throws: `CancellationError` where no change is wanted any more.
  package func reportWaiting() throws(CancellationError) {
    try goOn()
  }

  /// The key of the change that the source refused after all were made, where it can tell.
  public var fault: EntryKey? { state.withLock { $0.fault } }

  /// Says which change it was that the source refused after all were made.
  public func report(fault key: EntryKey) {
    state.withLock { $0.fault = key }
  }

  /// The number of the step that the journal keeps the changes as; nil where it keeps none.
  public var step: Int64? { state.withLock { $0.step } }

  /// Says what step of the journal the changes are.
  public func report(step: Int64) {
    state.withLock { $0.step = step }
  }

  /// Says that no change was made after all.
  public func reportRollback() {
    state.withLock { $0.changed = 0 }
  }

  private func goOn() throws(CancellationError) {
    told?(self)
    if isStopped { throw CancellationError() }
  }
}
