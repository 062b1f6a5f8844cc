public import Harmony

/// Fails a number of calls, and forwards the others to another source.
///
/// Several threads may use one.
public final class FailingDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  private let dataSource: D
  private let failures: Locked<(left: Int, error: any Error)>

  /// Creates a source that fails.
  ///
  /// - Parameters:
  ///   - dataSource: Answers the calls that do not fail.
  ///   - count: How many calls fail from now on.
  ///   - error: Their error.
  public init(
    _ dataSource: D, failing count: Int = .max, with error: any Error = CoreError.Failed()
  ) {
    self.dataSource = dataSource
    failures = Locked((count, error))
  }

  /// Fails further calls.
  ///
  /// - Parameters:
  ///   - count: How many calls fail from now on; zero for none.
  ///   - error: Their error.
  public func fail(_ count: Int = .max, with error: any Error = CoreError.Failed()) {
    failures.withLock { $0 = (count, error) }
  }

  /// Fails, or forwards the call.
  public func get(_ query: any Query) -> Future<T> {
    answer { dataSource.get(query) }
  }

  /// Fails, or forwards the call.
  public func getAll(_ query: any Query) -> Future<[T]> {
    answer { dataSource.getAll(query) }
  }

  /// Fails, or forwards the call.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    answer { dataSource.put(value, in: query) }
  }

  /// Fails, or forwards the call.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    answer { dataSource.putAll(array, in: query) }
  }

  /// Fails, or forwards the call.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    answer { dataSource.delete(query) }
  }

  private func answer<Answer>(_ call: () -> Future<Answer>) -> Future<Answer> {
    let error = failures.withLock { failures -> (any Error)? in
      guard failures.left > 0 else { return nil }
      failures.left -= 1
      return failures.error
    }
    return error.map { Future($0) } ?? call()
  }
}

extension FailingDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Fails, or forwards the call.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    answer { dataSource.getKeys(query) }
  }

  /// Fails, or forwards the call.
  public func countKeys(_ query: any Query) -> Future<Int> {
    answer { dataSource.countKeys(query) }
  }
}
