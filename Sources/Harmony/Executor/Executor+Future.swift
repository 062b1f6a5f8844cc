extension Executor {
  /// Runs a closure that completes a future.
  ///
  /// The executor counts the work as ended when the future is complete.
  ///
  /// - Parameter closure: Completes the future by the resolver, now or later. An error that it
  ///   throws completes the future too.
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
  /// - Parameter closure: The work; an error that it throws becomes that of the future.
  /// - Returns: A future of the end of the work.
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
