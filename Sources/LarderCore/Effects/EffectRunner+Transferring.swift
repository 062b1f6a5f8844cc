extension EffectRunner {
  /// Copies or moves entries to a store, which is opened where nobody has looked at it yet.
  func transfer(
    _ order: TransferOrder, from reference: StoreReference, to target: StoreReference, token: Int,
    send: @escaping Send
  ) async -> Result<TransferOutcome, StoreError> {
    if case .failure(let error) = await open(target) { return .failure(error) }
    let result = await result {
      try await working(token, send: send) { scan in
        try await registry.own.sweeping(nil, in: reference) {
          try await registry.own.sweeping(nil, in: target) {
            try await transfer(order, from: opened(reference), to: opened(target), scan)
          }
        }
      }
    }
    if order.isMove { await tellRemarks(of: reference, send: send) }
    return result
  }
}
