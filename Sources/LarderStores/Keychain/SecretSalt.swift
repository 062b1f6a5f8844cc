#if Keychain
import LarderFiles
import Foundation
import Harmony
import LarderModel

/// The salt for fingerprints of secrets, which prevents guessing a secret from its fingerprint.
///
/// The salt consists of random bytes in a private file, `$XDG_STATE_HOME/larder/salt`, so that
/// fingerprints remain valid across runs. If the file cannot be created, the salt is only valid in
/// this process.
struct SecretSalt: Sendable {
  private let bytes: [UInt8]

  static let count = 32

  /// The salt of the current user.
  static let ofPerson = SecretSalt(
    path: HomePath.larder(.state, ProcessInfo.processInfo.environment) + "/salt")

  /// Reads the salt from a file, or creates the file.
  init(path: String) {
    var generator = SystemRandomNumberGenerator()
    let new = (0..<Self.count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes = Self.kept(path) ?? (Self.keep(new, path) ? new : Self.kept(path)) ?? new
  }

  /// Returns the salted fingerprint of a secret.
  func fingerprint(of value: StoredValue) -> Fingerprint {
    Fingerprint(of: .array([.data(bytes), value]))
  }

  /// Returns the salt from a file, or nil if others can read the file.
  private static func kept(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard (try? TrustedPath.check(file: path)) != nil, fstat(file, &status) == 0,
      status.st_mode & 0o077 == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: count + 1)
    return read(file, &bytes, bytes.count) == count ? Array(bytes.prefix(count)) : nil
  }

  /// Creates the file; returns false if the name is taken or on another error.
  private static func keep(_ bytes: [UInt8], _ path: String) -> Bool {
    let folder = path.parentPath
    guard (try? StateFolder.make(folder)) != nil, let name = path.split(separator: "/").last else {
      return false
    }
    do {
      let file = try TemporaryFile(in: FolderDescriptor(root: folder))
      try file.write(bytes)
      _ = try file.rename(to: Array(name.utf8), replaces: false)
      return true
    } catch {
      return false
    }
  }
}
#endif
