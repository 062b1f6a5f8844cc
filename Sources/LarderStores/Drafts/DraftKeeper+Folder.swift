import Foundation
import Harmony
package import LarderCore

extension DraftKeeper {
  /// Keeps drafts in the folder for a person's state, in files that nobody else may read.
  ///
  /// The folder is made with the first draft.
  package static func inState(environment: [String: String]) -> DraftKeeper {
    let folder = StateFolder.path(environment: environment) + "/drafts"
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder, directoryHint: .isDirectory))
    let drafts = DataSourceMapper(
      dataSource: files, toInMapper: EncodableToDataMapper<Draft>(),
      toOutMapper: DataToDecodableMapper<Draft>())
    return DraftKeeper(
      session: ProcessIdentity.own, source: AnyDataSource(drafts),
      isRunning: ProcessIdentity.isRunning)
  }
}
