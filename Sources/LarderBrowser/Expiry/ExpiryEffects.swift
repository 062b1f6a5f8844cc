package import LarderModel
import LarderOperations
package import LarderFormats
package import Foundation
import Harmony

extension EffectSlot {
  static let time = EffectSlot("time", isInBackground: true)
}

/// Sets when entries expire in one step, if they are what was seen.
package struct SetExpiry: BrowserEffect {
  package let store: StoreReference
  package let chosen: ChosenEntries
  package let fingerprints: [EntryKey: Fingerprint]
  package let expiry: ExpiryText
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.changing(store, ticket, reply.send) { opened, scan in
        try await set(opened.store, at: runner.environment.date(), scan)
      })
  }

  /// - Returns: What there is to say of entries that were left out.
  private func set(_ store: Store, at date: Date, _ scan: Scan) async throws -> String? {
    let update = ExpiryUpdate(expiry, in: store, at: date)
    let plan =
      switch chosen {
      case .keys(let keys): try await update.plan(keys, seen: fingerprints, scan)
      case .prefix(let prefix):
        try update.plan(
          try await ExpiryUpdate.entries(prefix, in: store) { count in
            try scan.reportRead(scan.examined + count)
          })
      }
    _ = try await update.run(plan, scan)
    return plan.note
  }

  package func receive(_ reply: OperationAnswer<String?>, in state: inout BrowserState) -> Effects {
    state.expirySet(reply)
  }
}

/// Says what the time of day is: at once, or a second from now.
package struct TellTime: BrowserEffect {
  package let isWaited: Bool
  package var slot: EffectSlot? { isWaited ? .time : nil }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    if isWaited, (try? await runner.environment.sleep(.seconds(1))) == nil { return }
    await reply(runner.environment.date())
  }

  package func receive(_ date: Date, in state: inout BrowserState) -> Effects {
    state.timeTold(date, isWaited: isWaited)
  }
}
