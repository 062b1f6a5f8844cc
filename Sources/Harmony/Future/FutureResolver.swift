/// The producer's side of a future.
///
/// The first result wins. When the last copy of a resolver that a `Future` initialiser made is
/// released and there is no result, the future ends in ``UnresolvedFutureError``.
public struct FutureResolver<T: Sendable>: Sendable {
  /// Notices that no resolver is left.
  @usableFromInline
  final class Watch: Sendable {
    let future: Future<T>

    @usableFromInline
    init(_ future: Future<T>) {
      self.future = future
    }

    deinit {
      future.resolve(.error(UnresolvedFutureError()))
    }
  }

  @usableFromInline let future: Future<T>
  @usableFromInline let watch: Watch?

  /// Creates a resolver for a future that others may complete too.
  ///
  /// - Parameter future: The future to complete.
  @inlinable
  public init(_ future: Future<T>) {
    self.future = future
    watch = nil
  }

  /// Creates the only resolver of a future, whose loss ends the future.
  @inlinable
  init(owning future: Future<T>) {
    self.future = future
    watch = Watch(future)
  }

  /// Whether the future has a result, for producers that may stop then.
  @inlinable public var isResolved: Bool { future.isResolved }

  /// Whether the future was cancelled.
  @inlinable public var isCancelled: Bool { future.isCancelled }

  /// Calls a closure when the future is cancelled, or at once if it was.
  ///
  /// Closures run on the cancelling thread, in the order added, and not at all if the future is
  /// completed otherwise.
  ///
  /// - Parameter handler: What stops the work.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    future.onCancel(handler)
  }

  /// Completes the future unless it is complete.
  ///
  /// - Parameter result: A value or an error.
  /// - Returns: Whether this call was the one that completed the future.
  @inlinable
  @discardableResult
  public func resolve(_ result: Future<T>.Result) -> Bool {
    future.resolve(result)
  }

  /// Completes the future with a value, unless it is complete.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func set(_ value: T) {
    future.set(value)
  }

  /// Completes the future with an error, unless it is complete.
  ///
  /// - Parameter error: The error.
  @inlinable
  public func set(_ error: any Error) {
    future.set(error)
  }

  /// Completes the future as soon as another one is, with its result.
  ///
  /// - Parameter future: The future to follow.
  @inlinable
  public func set(_ future: Future<T>) {
    self.future.set(future)
    // The other future is the producer now, and not whoever holds a resolver.
    guard let watch else { return }
    future.observe { _, _ in withExtendedLifetime(watch) {} }
  }

  /// Completes the future with a value or an error, unless it is complete.
  ///
  /// - Parameters:
  ///   - value: The value, used if there is no error.
  ///   - error: The error. If it and the value are nil the future fails with
  ///     ``CoreError/IllegalArgument``.
  @inlinable
  public func set(value: T?, error: (any Error)?) {
    future.set(value: value, error: error)
  }

  /// Completes the future without a value to speak of, unless it is complete.
  @inlinable
  public func set() where T == Void {
    future.set()
  }
}
