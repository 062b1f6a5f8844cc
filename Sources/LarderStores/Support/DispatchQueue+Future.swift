import Dispatch
import Harmony
import LarderModel

extension DispatchQueue {
  /// Does work on the queue, unless nobody wants it any more when its turn comes.
  ///
  /// - Parameter body: The work, with the flag that says whether it is still wanted.
  /// - Returns: A future of what the work returned, which completes on the queue, and which fails
  ///   with `CancellationError` where it was cancelled before the work began.
  func future<Value: Sendable>(
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
