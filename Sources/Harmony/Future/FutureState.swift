import Synchronization

extension Future {
  /// How far a future and its consumers have come.
  public enum State: Sendable, Hashable {
    /// Neither a result nor anyone who wants it.
    case blank
    /// A result that nobody has asked for yet.
    case waitingThen
    /// Someone waits for the result.
    case waitingContent
    /// The result has been handed to someone.
    case sent
  }

  /// What a future ends with.
  public enum Result: Sendable {
    /// The value that was promised.
    case value(T)
    /// The reason why there is no value.
    case error(any Error)

    /// The value, or the error thrown.
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

    /// The value, or nil with the error stored in a variable.
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
  /// How far this future and its consumers have come.
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
