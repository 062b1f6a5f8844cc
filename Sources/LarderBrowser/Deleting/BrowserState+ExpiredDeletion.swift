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
        say(Messages.unreadable(found.unreadable), .error)
        return []
      }
      say(Messages.noneExpired(isListed: model.filter != nil))
      return []
    }
    var confirm = ConfirmModel(
      store: model.store.reference, several: found.changes.map(\.key),
      title: Messages.expired(
        found.changes.count, isWhole: found.isWhole,
        size: found.bytes.map { ByteCount.text($0) },
        filter: model.filter == nil ? "" : model.filterText, unreadable: found.unreadable),
      place: storeTitle, doubt: listedExpiry?.deletionDoubt)
    confirm.changes = found.changes
    confirm.areExpired = true
    overlay = .confirm(confirm)
    return []
  }
}
