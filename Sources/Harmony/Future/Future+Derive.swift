extension Future {
  /// How a derived future ends: with a value, or as another future does.
  enum Outcome {
    case value(T)
    case future(Future<T>)
  }

  /// Makes a future of this one's result.
  ///
  /// Nothing is transformed for a derived future that was cancelled meanwhile.
  func derive<K>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Result) throws -> Future<K>.Outcome
  ) -> Future<K> {
    let isDirect = executor is DirectExecutor
    if isDirect, let result = takeResult() {
      do {
        switch try transform(result) {
        case .value(let value): return Future<K>(value)
        case .future(let future): return future
        }
      } catch {
        return Future<K>(error)
      }
    }
    let derived = Future<K>(source: self)
    observe { result, cascade in
      if isDirect {
        derived.complete(by: { try transform(result) }, &cascade)
      } else {
        executor.submit { end in
          Cascade.run { derived.complete(by: { try transform(result) }, &$0) }
          end()
        }
      }
    }
    return derived
  }

  private func complete(by transform: () throws -> Outcome, _ cascade: inout Cascade) {
    guard !isResolved else { return }
    do {
      switch try transform() {
      case .value(let value): complete(.value(value), &cascade)
      case .future(let future): follow(future, &cascade)
      }
    } catch {
      complete(.error(error), &cascade)
    }
  }
}
