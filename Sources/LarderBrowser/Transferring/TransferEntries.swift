import LarderModel
package import LarderOperations
import Harmony

/// Copies entries to another store, which is opened if necessary.
///
/// If the entries are to be moved, they are deleted from the source once all have been copied.
package struct TransferEntries: BrowserEffect {
  package let order: TransferOrder
  package let source: StoreReference
  package let target: StoreReference
  /// The token of the operation.
  package let token: Int
  package var writtenStore: StoreReference? { target }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await transfer(runner, reply.send))
  }

  private func transfer(
    _ runner: EffectRunner, _ send: @escaping EffectRunner.Send
  ) async -> OperationAnswer<Transfer.Outcome> {
    if case .failure(let error) = await runner.open(target) {
      return .failure(OperationFailure(error))
    }
    let result = await runner.operation {
      try await runner.working(token, send) { scan in
        try await runner.registry.own.sweeping(nil, in: source) {
          try await runner.registry.own.sweeping(nil, in: target) {
            let (origin, target) = (try runner.opened(source), try runner.opened(target))
            let transfer = Transfer(
              .keys(order.keys, seen: order.fingerprints), from: origin.store, to: target.store,
              isMove: order.isMove, replaced: order.replaced)
            // Cancelling this task does not stop the transfer halfway.
            return try await Future {
              defer {
                target.cache.evictAll()
                if order.isMove { origin.cache.evictAll() }
              }
              return try await transfer.run(scan)
            }.get()
          }
        }
      }
    }
    if order.isMove { await runner.reportWarnings(of: source, send: send) }
    return result
  }

  package func receive(
    _ reply: OperationAnswer<Transfer.Outcome>, in state: inout BrowserState
  ) -> Effects {
    state.transferred(token: token, reply)
  }
}
