/// The producer's handle of a future.
///
/// The first result wins. If the last copy of a resolver that a `Future` initializer created is
/// released without a result, the future ends with ``UnresolvedFutureError``.
public struct FutureResolver<T: Sendable>: Sendable {
  /// Detects that no resolver is left.
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

  /// Creates a resolver for a future that may also be completed by other means.
  ///
  /// - Parameter future: The future to complete.
  @inlinable
  public init(_ future: Future<T>) {
    self.future = future
    watch = nil
  }

  /// Creates the only resolver of a future, which ends the future when it is released.
  @inlinable
  init(owning future: Future<T>) {
    self.future = future
    watch = Watch(future)
  }

  /// Whether the future has a result, so that the producer can stop.
  @inlinable public var isResolved: Bool { future.isResolved }

  /// Whether the future was canceled.
  @inlinable public var isCancelled: Bool { future.isCancelled }

  /// Adds a closure that is called when the future is canceled, or calls it now if it was.
  ///
  /// Closures run on the cancelling thread, in the order added. They are not called if the future
  /// is completed otherwise.
  ///
  /// - Parameter handler: Stops the work.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    future.onCancel(handler)
  }

  /// Completes the future unless it is already complete.
  ///
  /// - Parameter result: A value or an error.
  /// - Returns: Whether this call completed the future.
  @inlinable
  @discardableResult
  public func resolve(_ result: Future<T>.Result) -> Bool {
    future.resolve(result)
  }

  /// Completes the future with a value, unless it is already complete.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func set(_ value: T) {
    future.set(value)
  }

  /// Completes the future with an error, unless it is already complete.
  ///
  /// - Parameter error: The error.
  @inlinable
  public func set(_ error: any Error) {
    future.set(error)
  }

  /// Completes the future with the result of another one, as soon as there is one.
  ///
  /// - Parameter future: The future to follow.
  @inlinable
  public func set(_ future: Future<T>) {
    self.future.set(future)
    // The other future is now the producer, so releasing the resolver must not end this one.
    guard let watch else { return }
    future.observe { _, _ in withExtendedLifetime(watch) {} }
  }

  /// Completes the future with a value or an error, unless it is already complete.
  ///
  /// - Parameters:
  ///   - value: The value, used if there is no error.
  ///   - error: The error. If both are nil, the future fails with ``CoreError/IllegalArgument``.
  @inlinable
  public func set(value: T?, error: (any Error)?) {
    future.set(value: value, error: error)
  }

  /// Completes the future of `Void`, unless it is already complete.
  @inlinable
  public func set() where T == Void {
    future.set()
  }
}
