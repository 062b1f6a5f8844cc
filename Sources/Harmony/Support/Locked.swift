public import Synchronization

/// A value that only one thread at a time can access.
///
/// It is a `Mutex` that the thread sanitizer understands. If threads compete for a mutex, the
/// kernel hands it over, which the sanitizer does not see, so it reports a race. A load and a store
/// next to the value make the order visible at negligible cost.
@usableFromInline
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handover = Atomic<Bool>(false)

  /// Creates a lock around a value.
  ///
  /// - Parameter value: The initial value.
  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Accesses the value while no other thread does.
  ///
  /// - Parameter body: The access. It must not use the same lock again, and should be short.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
