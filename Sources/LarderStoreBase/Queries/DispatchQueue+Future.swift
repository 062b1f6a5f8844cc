import Dispatch
package import Harmony
package import LarderModel

extension DispatchQueue {
  /// Performs work on the queue, unless it is canceled before it starts.
  ///
  /// - Parameter body: The work. Its argument is a flag that is set on cancellation.
  /// - Returns: A future with the result, which completes on the queue; it fails with
  ///   `CancellationError` if it is canceled before the work starts.
  package func future<Value: Sendable>(
    _ body: @escaping @Sendable (CancelFlag) throws -> Value
  ) -> Future<Value> {
    Future { resolver in
      let flag = CancelFlag()
      resolver.onCancel { flag.cancel() }
      async {
        do {
          try flag.check()
          resolver.set(try body(flag))
        } catch {
          resolver.set(error)
        }
      }
    }
  }
}
