public import Harmony

/// A source that fails a number or a share of calls, and forwards the others to another source.
///
/// A call that fails never reaches the inner source. Several threads may share it.
public final class FailingDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  private let dataSource: D
  private struct Failures {
    var left = 0
    var share = 0.0
    var random = SeededGenerator(seed: 0)
    var error: any Error

    mutating func next() -> (any Error)? {
      if left > 0 {
        left -= 1
        return error
      }
      return share > 0 && Double.random(in: 0..<1, using: &random) < share ? error : nil
    }
  }

  private let failures: Locked<Failures>

  /// Creates a source that fails a number of calls.
  ///
  /// - Parameters:
  ///   - dataSource: The source that answers the other calls.
  ///   - count: The number of calls to fail from now on.
  ///   - error: The error of failed calls.
  public init(
    _ dataSource: D, failing count: Int = .max, with error: any Error = CoreError.Failed()
  ) {
    self.dataSource = dataSource
    failures = Locked(Failures(left: count, error: error))
  }

  /// Creates a source that fails a share of calls.
  ///
  /// - Parameters:
  ///   - dataSource: The source that answers the other calls.
  ///   - share: The share of calls to fail, from 0 (none) to 1 (all).
  ///   - seed: The seed that determines which calls fail.
  ///   - error: The error of failed calls.
  public init(
    _ dataSource: D, share: Double, seed: UInt64, with error: any Error = CoreError.Failed()
  ) {
    self.dataSource = dataSource
    failures = Locked(
      Failures(share: share, random: SeededGenerator(seed: seed), error: error))
  }

  /// Makes further calls fail.
  ///
  /// - Parameters:
  ///   - count: The number of calls to fail from now on; zero for none.
  ///   - error: The error of failed calls.
  public func fail(_ count: Int = .max, with error: any Error = CoreError.Failed()) {
    failures.withLock {
      $0.left = count
      $0.error = error
    }
  }

  /// Fails or forwards the call.
  public func get(_ query: any Query) -> Future<T> {
    answer { dataSource.get(query) }
  }

  /// Fails or forwards the call.
  public func getAll(_ query: any Query) -> Future<[T]> {
    answer { dataSource.getAll(query) }
  }

  /// Fails or forwards the call.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    answer { dataSource.put(value, in: query) }
  }

  /// Fails or forwards the call.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    answer { dataSource.putAll(array, in: query) }
  }

  /// Fails or forwards the call.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    answer { dataSource.delete(query) }
  }

  private func answer<Answer>(_ call: () -> Future<Answer>) -> Future<Answer> {
    let error = failures.withLock { $0.next() }
    return error.map { Future($0) } ?? call()
  }
}

extension FailingDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Fails or forwards the call.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    answer { dataSource.getKeys(query) }
  }

  /// Fails or forwards the call.
  public func countKeys(_ query: any Query) -> Future<Int> {
    answer { dataSource.countKeys(query) }
  }
}
