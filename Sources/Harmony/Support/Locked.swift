public import Synchronization

/// A value that one thread at a time may use.
///
/// A `Mutex`, with an order that the thread sanitizer can see. Where threads compete for a mutex
/// the kernel hands it over, and the sanitizer, which watches the code of the program, takes what
/// follows for a race. A load and a store beside the value tell it; they cost nothing to speak of.
@usableFromInline
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handover = Atomic<Bool>(false)

  /// Guards a value.
  ///
  /// - Parameter value: The first value.
  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Uses the value while no other thread does.
  ///
  /// - Parameter body: What to do. It must not use the same lock again, and should be short.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
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
