import Foundation
import Harmony

/// The folder for what larder keeps of a person's work between runs, `$XDG_STATE_HOME/larder`.
enum StateFolder {
  /// Values in files of their own that nobody else may read, as JSON, in a folder of this one.
  ///
  /// The folder is made with the first value.
  static func source<Value: Codable & Sendable>(
    _ name: String, environment: [String: String]
  ) -> AnyDataSource<Value> {
    let folder = HomePath.larder(.state, environment) + "/" + name
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder, directoryHint: .isDirectory))
    return AnyDataSource(
      DataSourceMapper(
        dataSource: files, toInMapper: EncodableToDataMapper<Value>(),
        toOutMapper: DataToDecodableMapper<Value>()))
  }
}
