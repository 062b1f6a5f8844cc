import LarderFiles
package import LarderCore

extension DraftKeeper {
  /// Keeps drafts in the folder for a person's state, in files that nobody else may read.
  ///
  /// The folder is made with the first draft.
  package static func inState(environment: [String: String]) -> DraftKeeper {
    let lock = RunLock(in: HomePath.larder(.state, environment))
    return DraftKeeper(
      session: lock.name,
      source: StateFolder.source("drafts", environment: environment, lock: lock),
      isRunning: lock.isRunning)
  }
}
