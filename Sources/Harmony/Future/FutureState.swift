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
  /// What a future calls with its result.
  typealias Observer = @Sendable (Result, inout Cascade) -> Void

  /// What may change a result before it is stored.
  typealias Interceptor = @Sendable (inout T?, inout (any Error)?) -> Void

  /// What a future holds while it has no result.
  struct Pending {
    var observers: [Observer] = []
    var cancelHandlers: [@Sendable () -> Void] = []
    var interceptors: [Interceptor] = []

    /// The future that this one is made from, to cancel it too. Its producer keeps it alive.
    weak var source: (any AnyFuture)?

    /// Whether a result has been chosen that the interceptors are still looking at.
    var isClaimed = false
  }

  /// Exactly one of `result` and `pending` is there.
  struct Storage {
    var result: Result?
    var pending: Pending?
    var isSent = false

    /// Stores the result of a pending future and returns what waited for it.
    mutating func settle(_ result: Result) -> Pending? {
      guard let pending else { return nil }
      self.result = result
      self.pending = nil
      isSent = !pending.observers.isEmpty
      return pending
    }
  }
}

/// A future whose value's type does not matter.
protocol AnyFuture: AnyObject, Sendable {
  /// Completes this future with a cancellation and returns the future that it was made from.
  func cancelStep() -> (any AnyFuture)?
}
