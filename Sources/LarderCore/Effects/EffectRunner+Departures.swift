import Harmony

extension EffectRunner {
  /// How long nobody asks whether a store that has gone is there again.
  private static let interval = Duration.seconds(2)

  /// Says when a store goes that is shown, and opens it anew once it is there again, until it is
  /// cancelled.
  ///
  /// Nothing is asked of a store that is there.
  func attend(_ reference: StoreReference, _ text: String, token: Int, send: Send) async {
    do {
      while true {
        let source = try opened(reference).store.source
        let answer = try await source.get(DepartureQuery()).getCancelling()
        guard case .text(let reason)? = answer.value else { return }
        try Task.checkCancellation()
        await send(.storeLeft(token: token, reason))
        let (location, store) = try await reopened(reference, text)
        await send(.storeReturned(token: token, location, store))
      }
    } catch {
      // It was cancelled, or is no store of which that can be asked.
    }
  }

  /// Opens a store anew, once it is there again.
  private func reopened(
    _ reference: StoreReference, _ text: String
  ) async throws -> (LocationSummary, StoreSummary) {
    while true {
      try await environment.sleep(Self.interval)
      try Task.checkCancellation()
      do {
        let location = try await environment.open(text)
        let store = try await location.store(reference.collection)
        try Task.checkCancellation()
        registry.replace(location, as: reference.location)
        add(store, as: reference)
        return (LocationSummary(location), StoreSummary(store, reference: reference))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Not yet, or without what was shown of it.
      }
    }
  }
}
