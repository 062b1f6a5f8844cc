import LarderModel
import Harmony

extension EffectRunner {
  /// How long nobody asks whether a store that has gone is there again.
  private static let interval = Duration.seconds(2)

  /// Says when a store goes that is shown, and opens it anew once it is there again, until it is
  /// cancelled.
  ///
  /// Nothing is asked of a store that is there. One that is known to be away may have come back
  /// while nobody looked, and is opened at once.
  func attend(
    _ reference: StoreReference, _ text: String, isAway: Bool, token: Int, send: Send
  ) async {
    do {
      var isAway = isAway
      while true {
        if !isAway {
          guard let departure = try opened(reference).store.departure else { return }
          let reason = try await departure()
          try Task.checkCancellation()
          await send(.storeLeft(token: token, reason))
        }
        let (location, store) = try await reopened(reference, text, isAtOnce: isAway)
        isAway = false
        await send(.storeReturned(token: token, location, store))
      }
    } catch {
      // It was cancelled, or is no store of which that can be asked.
    }
  }

  /// Opens a store anew, once it is there again, and with it what else is open of its location.
  private func reopened(
    _ reference: StoreReference, _ text: String, isAtOnce: Bool
  ) async throws -> (LocationSummary, StoreSummary) {
    var isAtOnce = isAtOnce
    while true {
      if !isAtOnce { try await environment.sleep(Self.interval) }
      isAtOnce = false
      try Task.checkCancellation()
      do {
        let location = try await environment.open(text)
        let store = try await location.store(reference.collection)
        var others: [(store: Store, reference: StoreReference)] = []
        for other in registry.references(of: reference.location) where other != reference {
          // What is shown no more is open no more.
          guard let store = try? await location.store(other.collection) else { continue }
          others.append((store, other))
        }
        try Task.checkCancellation()
        registry.replace(location, as: reference.location)
        add(store, as: reference)
        for other in others { add(other.store, as: other.reference) }
        return (LocationSummary(location), StoreSummary(store, reference: reference))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Not yet, or without what was shown of it.
      }
    }
  }
}
