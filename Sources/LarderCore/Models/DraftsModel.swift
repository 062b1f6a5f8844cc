/// What is kept of the text that is typed, for the case that the program ends before it is written.
package struct DraftsModel: Sendable, Equatable {
  /// What the ids of drafts begin with; nil where nothing is kept.
  package let session: String?
  /// Whether a moment is waited for at which to keep what is typed.
  package var isWaiting = false
  /// The draft that is kept of the editor on screen.
  package internal(set) var kept: Draft?
  /// The token of the latest text.
  var token: Int?
  /// Why the latest text could not be kept; an earlier one may be.
  package internal(set) var problem: String?
  /// What earlier runs have left of the store on screen, the latest first.
  var left: [Draft] = []

  package init(session: String?) {
    self.session = session
  }
}
