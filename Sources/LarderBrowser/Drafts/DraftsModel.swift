/// The state of drafts, which are stored in case the program exits before typed text is written.
package struct DraftsModel: Sendable, Equatable {
  /// The session name, which is the prefix of draft ids; `nil` if drafts are disabled.
  package let session: String?
  /// Whether the autosave timer is running.
  package internal(set) var isWaiting = false
  /// The number of edits, and the number when the current interval began.
  var edits = 0
  var editsBefore = 0
  /// The number of autosave intervals since the first unsaved edit.
  var moments = 0
  /// The token of the draft that is being saved.
  var keeping: Int?
  /// The saved draft of the editor on screen.
  package internal(set) var kept: Draft?
  /// The token of the latest saved text.
  var token: Int?
  /// The reason why the latest text could not be saved, although an earlier version may be.
  package internal(set) var problem: String?
  /// The drafts of each store from earlier runs, the latest first, as far as they have been read.
  var left: [StoreReference: [Draft]] = [:]

  /// The locations for which drafts in other stores have been reported.
  var toldLocations: Set<LocationID> = []

  package init(session: String?) {
    self.session = session
  }
}
