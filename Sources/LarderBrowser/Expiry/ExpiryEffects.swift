package import LarderModel
import LarderOperations
package import LarderFormats
import Foundation
import Harmony

/// Sets the expiry of entries as one change, if they are as displayed.
package struct SetExpiry: BrowserEffect {
  package let store: StoreReference
  package let chosen: ChosenEntries
  package let fingerprints: [EntryKey: Fingerprint]
  package let expiry: ExpiryText
  package let question: Ticket
  package var ticket: Ticket? { question }
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.changing(store, question.token, reply.send) { opened, scan in
        try await set(opened, at: runner.environment.date(), scan)
      })
  }

  /// Sets the expiry.
  ///
  /// - Returns: A note about the entries that were left out, if any.
  private func set(
    _ opened: StoreRegistry.Opened, at date: Date, _ scan: Scan
  ) async throws -> String? {
    let update = ExpiryUpdate(expiry, in: opened.store, at: date)
    let plan =
      switch chosen {
      case .keys(let keys): try await update.plan(keys, seen: fingerprints, scan)
      case .prefix(let prefix):
        try update.plan(
          try await ExpiryUpdate.entries(prefix, in: opened.store) { count in
            try scan.reportRead(scan.examined + count)
          })
      }
    defer { opened.cache.evictAll() }
    _ = try await update.run(plan, scan)
    return plan.note
  }

  package func receive(_ reply: OperationAnswer<String?>, in state: inout BrowserState) -> Effects {
    state.expirySet(reply)
  }
}
