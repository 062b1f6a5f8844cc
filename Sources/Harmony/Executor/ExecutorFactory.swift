/// Makes executors and hands out the same one for the same name.
///
/// It may be used by several threads.
public final class ExecutorFactory: Sendable {
  private let builder: @Sendable (String) -> any Executor
  private let executors = Locked<[String: any Executor]>([:])

  /// Creates a factory without executors.
  ///
  /// - Parameter builder: Makes the executor for a name, when it is first asked for.
  public init(_ builder: @escaping @Sendable (String) -> any Executor) {
    self.builder = builder
  }

  /// The executor with a name.
  ///
  /// - Parameter name: The name; nil asks for an executor that nobody else gets.
  /// - Returns: The executor.
  public func get(named name: String? = nil) -> any Executor {
    guard let name else { return builder(ExecutorName.next()) }
    if let executor = executors.withLock({ $0[name] }) { return executor }
    // Made outside the lock; of two made at once the first one stays.
    let made = builder(name)
    return executors.withLock { executors in
      let executor = executors[name] ?? made
      executors[name] = executor
      return executor
    }
  }

  /// The executor named by a text.
  ///
  /// - Parameter name: The name.
  /// - Returns: The executor.
  public func get(_ name: String) -> any Executor {
    get(named: name)
  }

  /// The executor named by a number.
  ///
  /// - Parameter number: The number.
  /// - Returns: The executor.
  public func get(_ number: Int) -> any Executor {
    get(named: String(number))
  }

  /// The executor named by a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The executor.
  public func get<T>(_ type: T.Type) -> any Executor {
    get(named: String(reflecting: type))
  }
}
