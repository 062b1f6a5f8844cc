import LarderFiles
import Foundation
import HarmonySQLite
package import LarderModel

/// The information about a location that is needed to recognize its kind.
package struct StoreProbe: Sendable {
  /// The target of a location.
  package enum Target: Sendable {
    /// A location that is not a path, with the scheme before its colon.
    case scheme(String, rest: String)
    case folder
    case file(firstBytes: [UInt8], size: Int64)
  }

  package let location: StoreLocation
  package let target: Target
  /// Whether the file was modified within the last second, and may be incomplete.
  package private(set) var isFresh = false
  /// The requested collection.
  package var collection: String?

  /// Creates a probe by examining a location, without changing it.
  ///
  /// - Parameters:
  ///   - location: The location.
  ///   - scheme: The URL scheme of the location, without the colon; nil for a path.
  ///   - isRestorable: Returns whether a program would restore a missing file from a backup.
  /// - Throws: ``StoreError`` if nothing is there, or it can be neither read nor be a store.
  package init(
    _ location: StoreLocation, scheme: String?, isRestorable: (_ path: String) -> Bool
  ) throws(StoreError) {
    self.location = location
    if let scheme {
      target = .scheme(
        scheme, rest: String(location.path.utf8.dropFirst(scheme.utf8.count + 1)) ?? "")
      return
    }
    let path = location.path
    var status = stat()
    guard !path.isEmpty, stat(path, &status) == 0 else {
      if errno == ENOENT, isRestorable(path) {
        target = .file(firstBytes: [], size: 0)
        return
      }
      let failure = FileFailure(path.isEmpty ? ENOENT : errno)
      throw FileMessages(path).storeError(failure, .opening)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: target = .folder
    case S_IFREG:
      do {
        let bytes = try SQLiteFile.at(path).firstBytes(512)
        target = .file(firstBytes: bytes, size: Int64(status.st_size))
        isFresh = Self.age(status) <= 1
      } catch {
        throw error.code == .permission
          ? FileMessages(path).storeError(FileFailure(EACCES), .opening)
          : .notOpened(path, error.message)
      }
    case S_IFSOCK:
      throw .socket(path)
    default:
      throw .specialFile(path)
    }
  }

  /// The seconds since the contents or the metadata of a file were changed.
  private static func age(_ status: stat) -> TimeInterval {
    let changed = [status.st_mtim, status.st_ctim].map {
      TimeInterval($0.tv_sec) + TimeInterval($0.tv_nsec) / 1e9
    }
    return Date().timeIntervalSince1970 - (changed.max() ?? 0)
  }
}
