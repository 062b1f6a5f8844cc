package import LarderModel
import LarderFormats

/// A deletion that waits for a yes.
package struct ConfirmModel: Sendable, Equatable {
  package var store: StoreReference
  package var query: EntryQuery
  /// The keys to delete instead, where several are marked.
  package var marked: [EntryKey] = []
  /// The deletions of what is marked, each of what was read before the question can be answered.
  package var changes: [EntryChange] = []
  /// The key as it is shown.
  package var title: String
  /// The name of the store that the entry is deleted from.
  package var place: String
  /// What was read under the key; nil where several are marked.
  package var base: Entry?
  /// What of the entry is selected, which goes only with all of it; nil where nothing is.
  package var selected: String?
  /// Why the entries may not have ended by which they were chosen, as a clause; nil where they have.
  package var doubt: String?
  /// What of the entry goes alone; nil where all of it does.
  var member: ValuePart?
  /// Whether somebody else changed the entry after it was read here.
  package var hasMetOthers = false
  /// The token of the deletion, once it is under way.
  package var deleting: Int?
  /// The token of the reading of what is marked; there is no yes until it has come.
  package var reading: Int?
}

extension ConfirmModel {
  /// A question about several entries.
  init(
    store: StoreReference, several keys: [EntryKey], title: String, place: String, doubt: String?
  ) {
    // The query is that of one entry, and is not asked for several.
    self.init(
      store: store, query: EntryQuery(keys.first ?? .text("")), marked: keys, title: title,
      place: place, doubt: doubt)
  }
}

extension ConfirmModel {
  /// What would be gone.
  package var deletedValue: StoredValue? {
    member.flatMap { part in base?.value.flatMap(part.value) } ?? base?.value
  }

  /// What is left of a value without the member that is to be deleted.
  ///
  /// - Throws: That there is no such member, or, as an element has no name but its place, that another
  ///   element than the one asked about is in that place now.
  func remainder(of value: StoredValue) throws(ValueText.Failure) -> StoredValue {
    guard let member else { throw ValueText.Failure("no member was selected") }
    if member.isInArray, let there = member.value(in: value), there != deletedValue {
      throw ValueText.Failure("it is another element now")
    }
    return try member.removing(in: value)
  }
}

/// What lies over the panes and takes the keys.
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
}
