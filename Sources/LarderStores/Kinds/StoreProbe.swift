import LarderFiles
import Foundation
import HarmonySQLite
import LarderModel

/// The information about a location that is needed to recognize its kind.
struct StoreProbe: Sendable {
  /// The target of a location.
  enum Target: Sendable {
    /// A location that is not a path, with the scheme before its colon.
    case scheme(String, rest: String)
    case folder
    case file(firstBytes: [UInt8], size: Int64)
  }

  let location: StoreLocation
  let target: Target
  /// Whether the file was modified within the last second, and may be incomplete.
  private(set) var isFresh = false
  /// The requested collection.
  var collection: String?
  private static let schemes = ["memory", "defaults", "keychain", "unix"]

  /// Creates a probe by examining a location, without changing it.
  init(_ location: StoreLocation) throws(StoreError) {
    self.location = location
    if let scheme = Self.scheme(of: location.path) {
      target = .scheme(
        scheme, rest: String(location.path.utf8.dropFirst(scheme.utf8.count + 1)) ?? "")
      return
    }
    let path = location.path
    var status = stat()
    guard !path.isEmpty, stat(path, &status) == 0 else {
      if errno == ENOENT, PreferencesKind.isToBeRestored(path) {
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
        isFresh = !FileStatus(status).isOlder(than: 1, at: Date())
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

  static func scheme(of path: String) -> String? {
    schemes.first { path.utf8.starts(with: ($0 + ":").utf8) }
  }

  /// The error for a location that no kind recognizes, with the list of kinds.
  var refusal: StoreError {
    guard case .file(let bytes, let size) = target else {
      return .unknownKind(location.path)
    }
    guard size > 0 else {
      return .empty(location.path)
    }
    return .unknownKind(location.path, Self.look(of: bytes), of: StoreKinds.all.map(\.name))
  }

  /// Describes a file as text, or by its first bytes in hexadecimal, which often indicate the
  /// format.
  ///
  /// The text itself is not included: an error may end up in logs, and a file that was named by
  /// mistake could contain a password.
  private static func look(of bytes: [UInt8]) -> String {
    if isText(bytes.prefix(lookSize), isCut: bytes.count > lookSize) {
      return Messages.textOfNoKind
    }
    return Messages.bytesOfNoKind(bytes.prefix(8))
  }

  /// The number of bytes to examine.
  private static let lookSize = 32

  /// Returns whether bytes are text; the last character may be truncated.
  private static func isText(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Bool {
    let text = (0..<(isCut ? min(4, bytes.count) : 1)).lazy.compactMap { cut in
      String(validating: bytes.dropLast(cut), as: UTF8.self)
    }.first
    return text?.unicodeScalars.allSatisfy { scalar in
      "\n\r\t".unicodeScalars.contains(scalar)
        || ![.control, .format, .unassigned, .privateUse].contains(
          scalar.properties.generalCategory)
    } ?? false
  }
}
