import LarderFiles
import Foundation
import Harmony
import LarderModel

extension StateFolder {
  /// Returns a source that stores values as JSON in separate files of a subfolder, which only the
  /// user can read.
  ///
  /// The subfolder is created with the first value. Nothing is read or written if other users have
  /// access to the folder.
  ///
  /// - Parameters:
  ///   - name: The name of the subfolder.
  ///   - environment: The environment variables that determine the home folder.
  ///   - lock: The lock to acquire before the first value is written, which tells other runs that
  ///     this one is still active.
  /// - Returns: The source, whose ids are the names of the files.
  static func source<Value: Codable & Sendable>(
    _ name: String, environment: [String: String], lock: RunLock? = nil
  ) -> AnyDataSource<Value> {
    let state = HomePath.larder(.state, environment)
    let folder = state + "/" + name
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder, directoryHint: .isDirectory))
    let (encoder, decoder) = (EncodableToDataMapper<Value>(), DataToDecodableMapper<Value>())
    return AnyDataSource(
      DataSourceMapper(
        dataSource: files,
        toInMapper: ClosureMapper {
          try refusing {
            try make(state)
            try TrustedPath.check(folder: folder)
            try lock?.take()
          }
          return try encoder.map($0)
        },
        toOutMapper: ClosureMapper {
          try refusing { try TrustedPath.check(folder: folder) }
          return try decoder.map($0)
        }))
  }

  private static func refusing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as TrustedPath.Refusal {
      throw StoreError.failed(error.description)
    } catch let error as FileFailure {
      throw StoreError.failed(error.message)
    }
  }
}
