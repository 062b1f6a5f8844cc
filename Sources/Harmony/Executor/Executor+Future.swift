extension Executor {
  /// Runs a closure that completes a future.
  ///
  /// For the executor, the work ends when the future is complete.
  ///
  /// - Parameter closure: Completes the future with the resolver, now or later. If it throws, the
  ///   future fails with the error.
  /// - Returns: The future.
  public func submit<T>(
    _ closure: @escaping @Sendable (FutureResolver<T>) throws -> Void
  ) -> Future<T> {
    Future { resolver in
      submit { end in
        Future { try closure($0) }
          .onCompletion { end() }
          .forward(to: resolver)
      }
    }
  }

  /// Runs a closure.
  ///
  /// - Parameter closure: The work; if it throws, the future fails with the error.
  /// - Returns: A future that completes when the work has ended.
  @discardableResult
  public func submit(_ closure: @escaping @Sendable () throws -> Void) -> Future<Void> {
    Future { resolver in
      submit { end in
        do {
          try closure()
          resolver.set()
        } catch {
          resolver.set(error)
        }
        end()
      }
    }
  }
}

extension Future {
  fileprivate func forward(to resolver: FutureResolver<T>) {
    resolver.set(self)
  }
}
