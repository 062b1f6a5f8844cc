import LarderModel
import LarderFormats

extension BrowserState {
  /// Reads all listed entries that have expired, and then asks whether to delete them.
  mutating func askToDeleteExpired() -> Effects {
    guard let model = keys else { return [] }
    let ticket = ticket { $0.keys?.asking }
    keys?.asking = ticket.token
    return [
      ReadExpired(
        store: model.store.reference, prefix: model.scope, filter: model.filter, ticket: ticket)
    ]
  }

  mutating func expiredRead(_ result: Answer<EntriesToDelete>) -> Effects {
    keys?.asking = nil
    guard let model = keys, overlay == nil else { return [] }
    switch result {
    case .success(let found) where found.changes.isEmpty:
      say(
        model.filter == nil
          ? "no entry has expired; nothing was deleted"
          : "no listed entry has expired; nothing was deleted")
    case .success(let found):
      let count = PrefixDeletionModel.entries(found.changes.count, "expired")
      var confirm = ConfirmModel(
        store: model.store.reference, several: found.changes.map(\.key),
        title: (found.isWhole ? "" : "the first ") + count
          + (found.bytes.map { " (\(ByteCount.text($0)))" } ?? ""),
        place: storeTitle, doubt: listedExpiry?.deletionDoubt)
      confirm.changes = found.changes
      overlay = .confirm(confirm)
    case .failure(.cancelled): break
    case .failure(let error): say(error.message, .error)
    }
    return []
  }

  /// Stops the reading that a question waits for; nil where no question is to come.
  mutating func stopAsking() -> Effects? {
    guard keys?.asking != nil else { return nil }
    keys?.asking = nil
    say("stopped: nothing was changed")
    return [Cancel(.asking)]
  }
}
