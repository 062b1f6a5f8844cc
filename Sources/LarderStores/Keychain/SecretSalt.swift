#if Keychain
import LarderFiles
import Foundation
import Harmony
import LarderModel

/// What fingerprints of secrets are made with, so that nobody who sees one can try out which secret
/// it is of.
///
/// Random bytes in a file of the user's own, `$XDG_STATE_HOME/larder/salt`, so that a fingerprint
/// means the same in a later run. Where there can be no such file they are of this process alone.
struct SecretSalt: Sendable {
  private let bytes: [UInt8]

  static let count = 32

  /// The salt of this person.
  static let ofPerson = SecretSalt(
    path: HomePath.larder(.state, ProcessInfo.processInfo.environment) + "/salt")

  /// Reads the file, or makes it.
  init(path: String) {
    var generator = SystemRandomNumberGenerator()
    let new = (0..<Self.count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes = Self.kept(path) ?? (Self.keep(new, path) ? new : Self.kept(path)) ?? new
  }

  /// The fingerprint of a secret.
  func fingerprint(of value: StoredValue) -> Fingerprint {
    Fingerprint(of: .array([.data(bytes), value]))
  }

  /// What a file holds that nobody else can read.
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

  /// Puts bytes in a new file, all of them before it has its name; false where that is taken.
  private static func keep(_ bytes: [UInt8], _ path: String) -> Bool {
    let folder = path.parentPath
    guard (try? StateFolder.make(folder)) != nil else { return false }
    let temporary = "\(path).\(UUID().uuidString)"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { unlink(temporary) }
    let isWhole = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    return close(file) == 0 && isWhole && link(temporary, path) == 0
  }
}
#endif
