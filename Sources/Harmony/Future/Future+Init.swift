extension Future {
  /// Creates a future that is already complete.
  ///
  /// - Parameter result: A value or an error.
  @inlinable
  public convenience init(result: Result) {
    switch result {
    case .value(let value): self.init(value)
    case .error(let error): self.init(error)
    }
  }

  /// Creates a future that follows another one.
  ///
  /// - Parameter future: The future to follow; it is canceled with this one.
  @inlinable
  public convenience init(_ future: Future<T>) {
    self.init()
    set(future)
  }

  /// Creates a future and runs the closure that completes it, on this thread.
  ///
  /// - Parameter closure: Completes the future with the resolver, now or later. If it throws, the
  ///   future fails with the error.
  @inlinable
  public convenience init(_ closure: (FutureResolver<T>) throws -> Void) {
    self.init()
    let resolver = FutureResolver(owning: self)
    do {
      try closure(resolver)
    } catch {
      resolver.set(error)
    }
  }

  /// Creates a future that follows the one that a closure returns.
  ///
  /// - Parameter closure: Runs once, on this thread; if it throws, the future fails with the error.
  @inlinable
  public convenience init(future closure: () throws -> Future<T>) {
    do {
      self.init(try closure())
    } catch {
      self.init(error)
    }
  }

  /// Creates a future of the result of a closure.
  ///
  /// - Parameter closure: Runs once, on this thread; if it throws, the future fails with the error.
  @inlinable
  public convenience init(value closure: () throws -> T) {
    do {
      self.init(try closure())
    } catch {
      self.init(error)
    }
  }

  /// Creates a failed future with the error that a closure returns.
  ///
  /// - Parameter closure: Runs once, on this thread.
  @inlinable
  public convenience init(_ closure: () -> any Error) {
    self.init(closure())
  }
}
