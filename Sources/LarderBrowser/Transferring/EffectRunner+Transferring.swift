import LarderOperations
import Harmony

extension EffectRunner {
  /// Copies or moves entries to a store, which is opened where nobody has looked at it yet.
  func transfer(
    _ order: TransferOrder, from reference: StoreReference, to target: StoreReference, token: Int,
    send: @escaping Send
  ) async -> Result<Transfer.Outcome, OperationFailure> {
    if case .failure(let error) = await open(target) { return .failure(OperationFailure(error)) }
    let result = await operation {
      try await working(token, send: send) { scan in
        try await registry.own.sweeping(nil, in: reference) {
          try await registry.own.sweeping(nil, in: target) {
            let (origin, target) = (try opened(reference), try opened(target))
            let transfer = Transfer(
              .keys(order.keys, seen: order.fingerprints), from: origin.store, to: target.store,
              isMove: order.isMove)
            // Whoever stops waiting for it does not stop it half way.
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
    if order.isMove { await tellRemarks(of: reference, send: send) }
    return result
  }
}
