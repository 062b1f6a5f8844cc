/// What is kept of the text that is typed, for the case that the program ends before it is written.
package struct DraftsModel: Sendable, Equatable {
  /// What the ids of drafts begin with; nil where nothing is kept.
  package let session: String?
  /// Whether a moment is waited for at which to keep what is typed.
  package internal(set) var isWaiting = false
  /// How many changes were typed, and how many when the present moment began.
  var edits = 0
  var editsBefore = 0
  /// How many moments were waited for since something was typed that is not kept.
  var moments = 0
  /// The token of the text that is on its way to the disk.
  var keeping: Int?
  /// The draft that is kept of the editor on screen.
  package internal(set) var kept: Draft?
  /// The token of the latest text.
  var token: Int?
  /// Why the latest text could not be kept; an earlier one may be.
  package internal(set) var problem: String?
  /// What earlier runs have left of stores, the latest first; nothing for those of which nobody
  /// knows yet.
  var left: [StoreReference: [Draft]] = [:]

  /// The locations of which it was said what is left in other stores than the one on screen.
  var toldLocations: Set<LocationID> = []

  package init(session: String?) {
    self.session = session
  }
}
