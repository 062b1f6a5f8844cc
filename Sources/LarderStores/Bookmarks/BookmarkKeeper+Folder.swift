import Foundation
import Harmony
package import LarderCore

extension BookmarkKeeper {
  /// Keeps bookmarks in the folder for a person's state, in files that nobody else may read.
  ///
  /// The folder is made with the first bookmark.
  package static func inState(environment: [String: String]) -> BookmarkKeeper {
    let folder = StateFolder.path(environment: environment) + "/bookmarks"
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder, directoryHint: .isDirectory))
    return BookmarkKeeper(
      AnyDataSource(
        DataSourceMapper(
          dataSource: files, toInMapper: EncodableToDataMapper<Bookmark>(),
          toOutMapper: DataToDecodableMapper<Bookmark>())))
  }
}
