import LarderModel
import LarderFormats

extension BrowserState {
  /// Reads all listed entries that have expired, and then asks for confirmation to delete them.
  mutating func askToDeleteExpired() -> Effects {
    guard let model = keys else { return [] }
    return [
      ReadExpired(
        store: model.store.reference, prefix: model.scope, filter: model.filter,
        ticket: askingTicket())
    ]
  }

  mutating func expiredRead(_ result: Answer<EntriesToDelete>) -> Effects {
    guard let found = takeAsked(result), let model = keys else { return [] }
    guard !found.changes.isEmpty else {
      guard found.unreadable == 0 else {
        say("\(found.unreadableText); nothing was deleted", .error)
        return []
      }
      say(
        model.filter == nil
          ? "no entry has expired; nothing was deleted"
          : "no listed entry has expired; nothing was deleted")
      return []
    }
    let count = PrefixDeletionModel.entries(found.changes.count, "expired")
    var confirm = ConfirmModel(
      store: model.store.reference, several: found.changes.map(\.key),
      title: (found.isWhole ? "" : "the first ") + count
        + (found.bytes.map { " (\(ByteCount.text($0)))" } ?? "")
        + (found.unreadable > 0 ? ", except \(Thousands.text(found.unreadable)) unreadable" : ""),
      place: storeTitle, doubt: listedExpiry?.deletionDoubt)
    confirm.changes = found.changes
    overlay = .confirm(confirm)
    return []
  }
}
