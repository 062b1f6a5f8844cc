package import LarderCore

extension DraftKeeper {
  /// Keeps drafts in the folder for a person's state, in files that nobody else may read.
  ///
  /// The folder is made with the first draft.
  package static func inState(environment: [String: String]) -> DraftKeeper {
    DraftKeeper(
      session: ProcessIdentity.own,
      source: StateFolder.source("drafts", environment: environment),
      isRunning: ProcessIdentity.isRunning)
  }
}
