import LarderModel
import Harmony

extension EffectSlot {
  static let departure = EffectSlot("departure", isOfTab: true, isInBackground: true)
}

/// Says when a store goes that is shown, and opens its location again, as it was typed, once it is
/// there again, until it is cancelled.
///
/// Nothing is asked of a store that is there. One that is known to be away may have come back
/// while nobody looked, and is opened at once.
package struct AttendStore: BrowserEffect {
  package let store: StoreReference
  package let text: String
  package let isAway: Bool
  package let ticket: Ticket?
  package var slot: EffectSlot? { .departure }

  /// What became of the store.
  package enum Reply: Sendable {
    case left(String)
    case returned(LocationSummary, StoreSummary)
  }

  /// How long nobody asks whether a store that has gone is there again.
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
      // It was cancelled, or is no store of which that can be asked.
    }
  }

  /// Opens a store again, once it is there again, and with it what else is open of its location.
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
          // What is shown no more is open no more.
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
        // Not yet, or without what was shown of it.
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
