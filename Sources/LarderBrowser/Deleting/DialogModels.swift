package import LarderModel
import LarderFormats

/// A deletion that waits for confirmation.
package struct ConfirmModel: Sendable, Equatable {
  package var store: StoreReference
  package var query: EntryQuery
  /// The keys to delete if several are marked, instead of the queried entry.
  package var marked: [EntryKey] = []
  /// The conditional deletions of the marked entries, which must be read before the user can
  /// confirm.
  package var changes: [EntryChange] = []
  /// Whether only those of them that are still expired are deleted.
  var areExpired = false
  /// The key, as displayed.
  package var title: String
  /// The name of the store.
  package var place: String
  /// The entry as it was read, or `nil` if several are marked.
  package var base: Entry?
  /// The description of a selected part that can only be deleted with the whole entry; `nil` if
  /// there is none.
  package var selected: String?
  /// A clause with the reason why the entries may not have expired, or `nil` if there is no doubt.
  package var doubt: String?
  /// The part of the value to delete, or `nil` for the whole entry.
  var member: ValuePart?
  /// Whether another program changed the entry after it was read.
  package var wasChangedByOthers = false
  /// The token of the deletion, once it has started.
  package var deleting: Int?
  /// The token of the read of the marked entries; the user cannot confirm before it is complete.
  package var reading: Int?
}

extension ConfirmModel {
  /// Creates a question about several entries.
  init(
    store: StoreReference, several keys: [EntryKey], title: String, place: String, doubt: String?
  ) {
    // The query is required but not used for several entries.
    self.init(
      store: store, query: EntryQuery(keys.first ?? .text("")), marked: keys, title: title,
      place: place, doubt: doubt)
  }
}

extension ConfirmModel {
  /// The value that would be deleted.
  package var deletedValue: StoredValue? {
    member.flatMap { part in base?.value.flatMap(part.value) } ?? base?.value
  }

  /// Returns a value without the member to delete.
  ///
  /// - Throws: ``ValueText/Failure`` if there is no such member, or if the element at that index of
  ///   an array is not the one that the user was asked about.
  func remainder(of value: StoredValue) throws(ValueText.Failure) -> StoredValue {
    guard let member else { throw ValueText.Failure(Messages.noMember) }
    if member.isInArray, let there = member.value(in: value), there != deletedValue {
      throw ValueText.Failure(Messages.elementReplaced)
    }
    return try member.removing(in: value)
  }
}

/// The overlay above the panes, which receives the keys.
package enum Overlay: Sendable, Equatable {
  case help(HelpModel)
  case messages(scroll: Int)
  case prompt(PromptModel)
  case editor(EditorModel)
  case newRow(NewRowModel)
  case confirm(ConfirmModel)
  case conflict(ConflictModel)
  case comparison(ComparisonModel)
  case overview(OverviewModel)
  case details(EntryDetails)
  case history(HistoryModel)
  case differences(StoreDifferencesModel)
  case changes(ChangesModel)
  case findings(FindingsModel)
}
