import Harmony

/// The progress and the time budget of a query, shared between the source and the caller.
///
/// It is made for one query and can be used from any thread. A source that examines entries one by
/// one reports them here, and ends its page early if the budget is exhausted: then `position` is
/// where to continue, and `isComplete` remains false. A source that makes many changes reports
/// those, and stops if the caller requests it.
public final class Scan: Sendable {
  private struct State {
    var examined = 0
    var position: EntryKey?
    var isComplete = false
    var isReported = false
    var changed = 0
    var share: Double?
    var step: Int64?
    var isStopped = false
    var stops: [@Sendable () -> Void] = []
    var fault: EntryKey?
    var unreadable: [(key: EntryKey, reason: StoreError)] = []
  }

  /// The time after which the source returns what it has found; nil for no limit.
  public let budget: Duration?
  private let told: (@Sendable (Scan) -> Void)?
  private let state = Locked(State())

  /// Creates a scan for a new query.
  ///
  /// - Parameters:
  ///   - budget: The time after which the source returns what it has found; nil for no limit.
  ///   - told: Called after each report, on the thread of the source.
  public init(budget: Duration? = nil, told: (@Sendable (Scan) -> Void)? = nil) {
    self.budget = budget
    self.told = told
  }

  /// The number of entries examined so far.
  public var examined: Int { state.withLock { $0.examined } }

  /// The last key examined, which is the `after` of a query that continues from here.
  public var position: EntryKey? { state.withLock { $0.position } }

  /// Whether the source has reached the end of its entries.
  public var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Whether the source has reported progress, which is optional if it reads complete pages.
  public var isReported: Bool { state.withLock { $0.isReported } }

  /// Reports progress.
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
  /// The entries for which a match could not be determined, with the reason; a list without them is
  /// incomplete.
  ///
  /// Their values could not be read, or a regular expression exceeded its limit.
  public var unreadable: [(key: EntryKey, reason: StoreError)] { state.withLock { $0.unreadable } }

  /// Reports an entry whose value could not be read, or for which a match could not be determined.
  public func report(unreadable key: EntryKey, _ reason: StoreError) {
    state.withLock { $0.unreadable.append((key, reason)) }
  }
}

extension Scan {
  /// Adds the unreadable entries from the scan of a section.
  package func addUnreadable(from part: Scan) {
    for (key, reason) in part.unreadable { report(unreadable: key, reason) }
  }
}

// MARK: Many changes

extension Scan {
  /// The number of changes made so far, which persist if the operation ends now.
  public var changed: Int { state.withLock { $0.changed } }

  /// Whether the operation was stopped.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Requests that the source make no further changes.
  ///
  /// A source with transactions then makes none; others keep the changes made so far. Either way it
  /// fails with a `CancellationError`, unless it is already done.
  public func stop() {
    let stops = state.withLock { state in
      defer { state.stops = [] }
      state.isStopped = true
      return state.stops
    }
    for stop in stops { stop() }
  }

  /// Calls a closure when the operation is stopped, or immediately if it already is.
  ///
  /// This is for sources that do much of their work in a single step.
  package func onStop(_ stop: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.stops.append(stop) }
      return state.isStopped
    }
    if isStopped { stop() }
  }

  /// Reports the number of entries read before changing them.
  ///
  /// - Throws: `CancellationError` if the operation was stopped.
  public func reportRead(_ count: Int) throws(CancellationError) {
    state.withLock { $0.examined = count }
    try goOn()
  }

  /// Reports the number of changes made.
  ///
  /// - Throws: `CancellationError` if the operation was stopped.
  public func reportChanged(_ count: Int) throws(CancellationError) {
    state.withLock { $0.changed = count }
    try goOn()
  }

  /// The share of the operation that is done, from 0 to 1; nil if it is not known.
  package var share: Double? { state.withLock { $0.share } }

  /// Sets the share of the operation that is done, which the next report includes.
  package func set(share: Double) {
    state.withLock { $0.share = share }
  }

  /// Reports that the source is waiting for another process before it makes any change.
  ///
  /// - Throws: `CancellationError` if the operation was stopped.
  package func reportWaiting() throws(CancellationError) {
    try goOn()
  }

  /// The key of the change that the source rejected, if it can tell.
  public var fault: EntryKey? { state.withLock { $0.fault } }

  /// Reports the change that the source rejected.
  public func report(fault key: EntryKey) {
    state.withLock { $0.fault = key }
  }

  /// The number of the change in the journal; nil if it was not recorded.
  public var step: Int64? { state.withLock { $0.step } }

  /// Reports the number of the change in the journal.
  public func report(step: Int64) {
    state.withLock { $0.step = step }
  }

  /// Reports that the changes were rolled back.
  public func reportRollback() {
    state.withLock { $0.changed = 0 }
  }

  private func goOn() throws(CancellationError) {
    told?(self)
    if isStopped { throw CancellationError() }
  }
}

extension Scan? {
  /// Makes one of several changes, and reports it as the one at fault if it fails.
  ///
  /// - Parameters:
  ///   - key: The key of the entry.
  ///   - isAtFault: Returns whether an error concerns that entry alone.
  ///   - body: Makes the change.
  /// - Returns: The result of `body`.
  package func blaming<Value>(
    _ key: EntryKey, if isAtFault: (any Error) -> Bool = { _ in true },
    _ body: () throws -> Value
  ) rethrows -> Value {
    do {
      return try body()
    } catch {
      if isAtFault(error) { self?.report(fault: key) }
      throw error
    }
  }

  /// Makes one of several changes, and reports it as the one at fault if it fails.
  package func blaming<Value>(
    _ key: EntryKey, _ body: () async throws -> Value
  ) async rethrows -> Value {
    do {
      return try await body()
    } catch {
      self?.report(fault: key)
      throw error
    }
  }
}
