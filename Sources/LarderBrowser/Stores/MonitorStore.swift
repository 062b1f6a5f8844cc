import LarderModel
import Harmony

extension EffectSlot {
  static let departure = EffectSlot("departure", isOfTab: true, isInBackground: true)
}

/// Reports when the current store becomes unavailable, and reopens its location, as typed, once it
/// is available again, until it is canceled.
///
/// A store that is available is not polled. One that is known to be unavailable may have returned
/// unnoticed, so the first attempt to reopen it is immediate.
package struct MonitorStore: BrowserEffect {
  package let store: StoreReference
  package let text: String
  package let isAway: Bool
  package let ticket: Ticket?
  package var slot: EffectSlot? { .departure }

  /// A change of the store's availability.
  package enum Reply: Sendable {
    case left(String)
    case returned(LocationSummary, StoreSummary)
  }

  /// The interval between attempts to reopen the store.
  private static let interval = Duration.seconds(2)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    do {
      var isAway = isAway
      while true {
        if !isAway {
          guard let departure = try runner.opened(store).store.departure else { return }
          let reason = try await departure()
          try Task.checkCancellation()
          await reply(.left(reason))
        }
        let (location, store) = try await reopened(runner, isAtOnce: isAway)
        isAway = false
        await reply(.returned(location, store))
      }
    } catch {
      // The task was canceled, or the store does not report its departure.
    }
  }

  /// Reopens the store once it is available, together with the other open stores of its location.
  private func reopened(
    _ runner: EffectRunner, isAtOnce: Bool
  ) async throws -> (LocationSummary, StoreSummary) {
    var isAtOnce = isAtOnce
    while true {
      if !isAtOnce { try await runner.environment.sleep(Self.interval) }
      isAtOnce = false
      try Task.checkCancellation()
      do {
        let location = try await runner.environment.open(text)
        let store = try await location.store(self.store.collection)
        var others: [(store: Store, reference: StoreReference)] = []
        for other in runner.registry.references(of: self.store.location) where other != self.store {
          // Collections that no longer exist are closed.
          guard let store = try? await location.store(other.collection) else { continue }
          others.append((store, other))
        }
        try Task.checkCancellation()
        runner.registry.replace(location, as: self.store.location)
        runner.add(store, as: self.store)
        for other in others { runner.add(other.store, as: other.reference) }
        return (LocationSummary(location), StoreSummary(store, reference: self.store))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The location or the collection is not available yet.
      }
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .left(let reason): state.storeLeft(reason)
    case .returned(let location, let store): state.storeReturned(location, store)
    }
  }
}
