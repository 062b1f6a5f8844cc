import Synchronization

extension Future {
  /// The state of a future and its consumers.
  public enum State: Sendable, Hashable {
    /// There is neither a result nor a consumer.
    case blank
    /// There is a result that was not delivered yet.
    case waitingThen
    /// A consumer waits for the result.
    case waitingContent
    /// The result has been delivered.
    case sent
  }

  /// The result of a future.
  public enum Result: Sendable {
    /// The value.
    case value(T)
    /// The error.
    case error(any Error)

    /// Returns the value or throws the error.
    ///
    /// - Returns: The value.
    /// - Throws: The error of the result.
    @inlinable
    @discardableResult
    public func get() throws -> T {
      switch self {
      case .value(let value): return value
      case .error(let error): throw error
      }
    }

    /// Returns the value, or nil after storing the error in a variable.
    ///
    /// - Parameter error: Set to the error of the result, or to nil.
    /// - Returns: The value, or nil if there is an error.
    @inlinable
    public func get(error: inout (any Error)?) -> T? {
      switch self {
      case .value(let value):
        error = nil
        return value
      case .error(let failure):
        error = failure
        return nil
      }
    }
  }
}

extension Future {
  /// The state of this future and its consumers.
  ///
  /// Other threads may change it at any time.
  public var state: State {
    switch phase.load(ordering: .acquiring) {
    case FuturePhase.sent: .sent
    case FuturePhase.settled: .waitingThen
    default: pending?.isObserved ?? false ? .waitingContent : .blank
    }
  }
}
