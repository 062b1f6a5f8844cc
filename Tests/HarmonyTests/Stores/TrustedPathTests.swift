import Foundation
import Testing

@testable import Harmony

/// Ownership and permissions of files that a program uses automatically.
struct TrustedPathTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data().write(to: folder.appending(path: "file"))
    #expect(chmod(folder.path + "/file", 0o600) == 0)
  }

  private func isTrusted(_ check: () throws(TrustedPath.Refusal) -> Void) -> Bool {
    (try? check()) != nil
  }

  private var isFileTrusted: Bool {
    isTrusted { () throws(TrustedPath.Refusal) in
      try TrustedPath.check(file: folder.path + "/file")
    }
  }

  /// Whether the primary group of this user is private, as on Debian and Fedora.
  private static let hasPrivateGroup: Bool = {
    guard let user = getpwuid(geteuid())?.pointee, let group = getgrgid(user.pw_gid)?.pointee,
      getegid() == user.pw_gid
    else { return false }
    return String(cString: user.pw_name) == String(cString: group.gr_name)
      && group.gr_mem.pointee == nil
  }()

  @Test(
    .enabled(if: hasPrivateGroup, "this user has no private group"),
    arguments: [(0o775, 0o664, true), (0o770, 0o660, true), (0o777, 0o600, false)])
  func `Files that only the user's private group can write are trusted`(
    folderMode: Int, mode: Int, isTrusted: Bool
  ) {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(chmod(folder.path + "/file", mode_t(mode)) == 0)
    #expect(chmod(folder.path, mode_t(folderMode)) == 0)
    #expect(isFileTrusted == isTrusted)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only the administrator can give files to any group"),
    arguments: [(0o770, 0o600), (0o700, 0o660)])
  func `Files that another group can write are not trusted`(folderMode: Int, mode: Int) {
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in [folder.path, folder.path + "/file"] {
      #expect(chown(path, geteuid(), 54_321) == 0)
    }
    #expect(isFileTrusted)
    #expect(chmod(folder.path + "/file", mode_t(mode)) == 0)
    #expect(chmod(folder.path, mode_t(folderMode)) == 0)
    #expect(!isFileTrusted)
  }

  @Test(arguments: [
    (0o700, 0o600, true), (0o755, 0o644, true), (0o700, 0o602, false),
    (0o702, 0o600, false), (0o777, 0o600, false), (0o1777, 0o600, false),
  ])
  func `A file is trusted only if no other user can write or replace it`(
    folderMode: Int, mode: Int, isTrusted: Bool
  ) {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(chmod(folder.path + "/file", mode_t(mode)) == 0)
    #expect(chmod(folder.path, mode_t(folderMode)) == 0)
    #expect(isFileTrusted == isTrusted)
  }

  @Test func `A missing file is trusted if it would be created in a folder of this user`() {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(
      isTrusted { () throws(TrustedPath.Refusal) in
        try TrustedPath.check(file: folder.path + "/none")
        try TrustedPath.check(folder: folder.path + "/none/below")
      })
  }

  @Test func `Files of another user are not trusted`() {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Only root can change the owner of a file.
    guard geteuid() == 0 else { return }
    let other: uid_t = 54_321
    #expect(symlink(folder.path, folder.path + "/link") == 0)
    #expect(lchown(folder.path + "/link", other, other) == 0)
    #expect(
      !isTrusted { () throws(TrustedPath.Refusal) in
        try TrustedPath.check(folder: folder.path + "/link")
      })
    #expect(isFileTrusted)
    #expect(chown(folder.path + "/file", other, other) == 0)
    #expect(!isFileTrusted)
    #expect(chown(folder.path + "/file", 0, 0) == 0)
    #expect(chown(folder.path, other, other) == 0)
    #expect(!isFileTrusted)
    #expect(
      !isTrusted { () throws(TrustedPath.Refusal) in
        try TrustedPath.check(folder: folder.path + "/none/below")
      })
  }
}
