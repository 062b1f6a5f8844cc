import LarderFiles
import Foundation
import HarmonySQLite
import LarderModel

/// What is at a location, as far as it has to be known to tell the kinds apart.
struct StoreProbe: Sendable {
  /// What the location leads to.
  enum Target: Sendable {
    /// A location that is not a path, by the word before its colon.
    case scheme(String, rest: String)
    case folder
    case file(firstBytes: [UInt8], size: Int64)
  }

  let location: StoreLocation
  let target: Target
  /// Whether the file was written just now, and perhaps not to its end.
  private(set) var isFresh = false
  /// The collection that is asked for.
  var collection: String?
  private static let schemes = ["memory", "defaults", "keychain", "unix"]

  /// Looks at a location, without changing anything there.
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
      throw FileSentences(path).storeError(failure, .opening)
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
          ? FileSentences(path).storeError(FileFailure(EACCES), .opening)
          : .cannotOpen("\(path) cannot be opened: \(error.message)")
      }
    case S_IFSOCK:
      throw .cannotOpen(
        "\(path) is a socket, which a program may show its sources on: unix:\(path) opens it")
    default:
      throw .cannotOpen("\(path) is neither a file nor a folder, so larder does not read it")
    }
  }

  static func scheme(of path: String) -> String? {
    schemes.first { path.utf8.starts(with: ($0 + ":").utf8) }
  }

  /// Why no kind takes the location, and which kinds there are.
  var refusal: StoreError {
    guard case .file(let bytes, let size) = target else {
      return .cannotOpen("\(location.path) is not a kind of store that larder knows")
    }
    guard size > 0 else {
      return .cannotOpen("\(location.path) is empty: 0 bytes; nothing to browse")
    }
    let kinds = StoreKinds.all.map(\.name).joined(separator: ", ")
    return .cannotOpen(
      "\(location.path) is not a kind of store that larder knows: \(Self.look(of: bytes)); the kinds "
        + "are \(kinds)")
  }

  /// Describes bytes: as text, or by the first of them in hexadecimal, which often name a format.
  ///
  /// The text itself is not repeated: an error ends up in logs, and a file that was named by mistake
  /// may hold a password.
  private static func look(of bytes: [UInt8]) -> String {
    if isText(bytes.prefix(lookSize), isCut: bytes.count > lookSize) {
      return "it is text, but neither JSON nor a property list nor Android preferences"
    }
    let digits = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "it starts with the bytes \(digits.joined(separator: " ")), as encrypted databases and "
      + "other binary files do"
  }

  /// How many bytes are looked at.
  private static let lookSize = 32

  /// Whether bytes are text, whose last character may be cut.
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
