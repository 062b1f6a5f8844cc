import Foundation

/// Checks of the files and directories that a program uses by itself, such as its journal and
/// settings.
///
/// Files that other users own or can write to may contain anything, so they are not used. The
/// administrator is trusted, because nothing is safe from them. So is the private group that
/// Debian, Fedora and others create for each user, because only that user can write as its member.
package enum TrustedPath {
  /// The reason why a file or directory is not trusted.
  package struct Refusal: Error, CustomStringConvertible {
    /// The reason and the remedy, as a sentence without a final period.
    package let description: String
  }

  /// Checks that a directory belongs to the current user and that no other user can write to it.
  ///
  /// If it does not exist, the closest existing parent has to belong to the current user or the
  /// administrator: a directory created in any other place would be under another user's control.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - isNamed: Whether the user specified it for this purpose: others may then write to it if it
  ///     is sticky like `/tmp`, where users cannot replace each other's files.
  /// - Throws: ``Refusal``.
  package static func check(folder path: String, isNamed: Bool = false) throws(Refusal) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw refusal(path, errno) }
      return try checkOwner(above: path)
    }
    defer { close(number) }
    try checkLink(path)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw refusal(path, errno) }
    try check(status, path, isSticky: isNamed)
  }

  /// Checks a file and its directory; a file that does not exist passes.
  ///
  /// The file is not opened, because closing a descriptor would release the locks that this process
  /// holds on the file.
  ///
  /// - Throws: ``Refusal``.
  package static func check(file path: String) throws(Refusal) {
    try check(folder: path.parentPath)
    try checkLink(path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw refusal(path, errno) }
      return
    }
    try check(status, path)
  }

  /// Checks the file or directory of a descriptor.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - path: The path that it was opened with.
  /// - Throws: ``Refusal``.
  package static func check(descriptor number: Int32, _ path: String) throws(Refusal) {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw refusal(path, errno) }
    try check(status, path)
  }

  private static func check(
    _ status: stat, _ path: String, isSticky: Bool = false
  ) throws(Refusal) {
    try checkOwner(status, path)
    if isSticky, status.st_mode & 0o1000 != 0 { return }
    let isWritableByOthers =
      status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && !isPrivate(group: status.st_gid)
    guard !isWritableByOthers else {
      throw Refusal(
        description: "other users can write to \(PathName(path)) (mode "
          + "\(String(status.st_mode & 0o7777, radix: 8))): check its contents, then "
          + "run chmod go-w \(quoted(path))")
    }
  }

  /// Whether a group is the current user's private one: the primary group, with the same name and
  /// no other members.
  private static func isPrivate(group: gid_t) -> Bool {
    accounts.withLock { _ in
      guard let user = getpwuid(geteuid())?.pointee, user.pw_gid == group else { return false }
      // The result is only valid until the next call.
      let name = String(cString: user.pw_name)
      guard let found = getgrgid(group)?.pointee, String(cString: found.gr_name) == name else {
        return false
      }
      var members = found.gr_mem
      while let member = members?.pointee {
        if String(cString: member) != name { return false }
        members = members?.advanced(by: 1)
      }
      return true
    }
  }

  /// Serializes user and group lookups, whose results share memory.
  private static let accounts = Locked(())

  private static func checkOwner(_ status: stat, _ path: String) throws(Refusal) {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return }
    let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
    let own = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    throw Refusal(
      description: "\(PathName(path)) belongs to another user, \(owner ?? "\(status.st_uid)"): "
        + "set HOME to a folder of your own, as sudo -H does, or run chown \(own ?? "\(geteuid())") "
        + quoted(path))
  }

  /// Checks that a symbolic link belongs to a trusted user, as it may point to any file of the
  /// current user.
  private static func checkLink(_ path: String) throws(Refusal) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    try checkOwner(status, path)
  }

  private static func checkOwner(above path: String) throws(Refusal) {
    var parent = path
    var status = stat()
    repeat {
      parent = parent.folderPath
    } while stat(parent, &status) != 0 && parent != "/" && parent != "."
    try checkOwner(status, parent)
  }

  private static func refusal(_ path: String, _ number: Int32) -> Refusal {
    Refusal(
      description: "\(PathName(path)) cannot be checked: \(String(cString: strerror(number)))")
  }

  private static func quoted(_ path: String) -> String {
    PathName("'" + path.replacingOccurrences(of: "'", with: #"'\''"#) + "'").description
  }
}
