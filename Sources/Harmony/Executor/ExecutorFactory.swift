/// A factory that returns the same executor for the same name.
///
/// It may be used by several threads.
public final class ExecutorFactory: Sendable {
  private let builder: @Sendable (String) -> any Executor
  private let executors = Locked<[String: any Executor]>([:])

  /// Creates a factory without executors.
  ///
  /// - Parameter builder: Creates the executor for a name on first use.
  public init(_ builder: @escaping @Sendable (String) -> any Executor) {
    self.builder = builder
  }

  /// Returns the executor with a name.
  ///
  /// - Parameter name: The name; nil for a new executor that is not shared.
  /// - Returns: The executor.
  public func get(named name: String? = nil) -> any Executor {
    guard let name else { return builder(ExecutorName.next()) }
    if let executor = executors.withLock({ $0[name] }) { return executor }
    // Created outside the lock; of two created at the same time, the first one stored wins.
    let made = builder(name)
    return executors.withLock { executors in
      let executor = executors[name] ?? made
      executors[name] = executor
      return executor
    }
  }

  /// Returns the executor with a name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The executor.
  public func get(_ name: String) -> any Executor {
    get(named: name)
  }

  /// Returns the executor that is named by a number.
  ///
  /// - Parameter number: The number.
  /// - Returns: The executor.
  public func get(_ number: Int) -> any Executor {
    get(named: String(number))
  }

  /// Returns the executor that is named by a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The executor.
  public func get<T>(_ type: T.Type) -> any Executor {
    get(named: String(reflecting: type))
  }
}
