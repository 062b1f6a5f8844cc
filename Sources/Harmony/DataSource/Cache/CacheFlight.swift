/// A read of the backing store that any number of callers wait for.
@usableFromInline
final class CacheFlight<Content: Sendable>: Sendable {
  @usableFromInline let future = Future<Content>()
  @usableFromInline let callers = Locked(Callers())

  @usableFromInline
  struct Callers {
    @usableFromInline var count = 0
    @usableFromInline var isAbandoned = false

    @inlinable
    init() {}
  }

  @inlinable
  init() {}

  /// Returns a future for one more caller, who can cancel it without affecting the others.
  ///
  /// Once the last caller has canceled, the read is canceled too and later calls return nil.
  @inlinable
  func join<Part>(
    onAbandon: @escaping @Sendable () -> Void,
    _ part: @escaping @Sendable (Content) throws -> Part
  ) -> Future<Part>? {
    let isWelcome = callers.withLock { callers in
      callers.count += 1
      return !callers.isAbandoned
    }
    guard isWelcome else { return nil }
    let result = Future<Part>()
    result.onCancel { [self] in
      let isLast = callers.withLock { callers in
        callers.count -= 1
        callers.isAbandoned = callers.count == 0
        return callers.isAbandoned
      }
      guard isLast else { return }
      onAbandon()
      future.cancel()
    }
    future.observe { content, cascade in
      switch content {
      case .value(let content):
        do {
          result.complete(.value(try part(content)), &cascade)
        } catch {
          result.complete(.error(error), &cascade)
        }
      case .error(let error): result.complete(.error(error), &cascade)
      }
    }
    return result
  }

  /// Completes with the result of a read, after reporting the result to the cache.
  @inlinable
  func follow(
    _ read: Future<Content>, onResult: @escaping @Sendable (Future<Content>.Result) -> Void
  ) {
    future.cancelsToo([read])
    read.observe { [future] result, cascade in
      onResult(result)
      future.complete(result, &cascade)
    }
  }
}
