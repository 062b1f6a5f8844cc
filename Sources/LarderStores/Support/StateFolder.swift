import Foundation
import Harmony

/// The folder for what larder keeps of a person's work between runs, `$XDG_STATE_HOME/larder`.
enum StateFolder {
  /// Where the folder is, which may not be there yet.
  ///
  /// - Parameter environment: The variables of the process; a relative `XDG_STATE_HOME` is none.
  /// - Returns: Its path.
  static func path(environment: [String: String]) -> String {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    return (state ?? home + "/.local/state") + "/larder"
  }

  /// Values in files of their own that nobody else may read, as JSON, in a folder of this one.
  ///
  /// The folder is made with the first value.
  static func source<Value: Codable & Sendable>(
    _ name: String, environment: [String: String]
  ) -> AnyDataSource<Value> {
    let folder = path(environment: environment) + "/" + name
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder, directoryHint: .isDirectory))
    return AnyDataSource(
      DataSourceMapper(
        dataSource: files, toInMapper: EncodableToDataMapper<Value>(),
        toOutMapper: DataToDecodableMapper<Value>()))
  }
}
