import LarderFiles
import Foundation
import Harmony
import LarderModel

extension StateFolder {
  /// Values in files of their own that nobody else may read, as JSON, in a folder of this one.
  ///
  /// The folder is made with the first value. Nothing is read or written where the folder is not
  /// this user's alone.
  ///
  /// - Parameters:
  ///   - name: The name of the folder.
  ///   - environment: The variables that name the home folder.
  ///   - lock: The lock to take before the first value is written, where other runs have to know
  ///     that this one is not over.
  /// - Returns: The source of the values, by the names of their files.
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
