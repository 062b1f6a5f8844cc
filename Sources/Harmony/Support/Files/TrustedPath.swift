import Foundation

/// Checks the files and folders that a program uses on its own, such as its journal and settings.
///
/// What another user owns or may write can be made to say anything, so it is not used. The
/// administrator is trusted, as nothing is protected from them. So is the group that Debian, Fedora and
/// others make for each user alone: what it may write only that user can.
package enum TrustedPath {
  /// Why a file or folder is not trusted.
  package struct Refusal: Error, CustomStringConvertible {
    /// The reason, with the remedy, as a sentence without a final full stop.
    package let description: String
  }

  /// Checks a folder: it has to belong to this user, and nobody else may write to it.
  ///
  /// Where it does not exist, the closest folder above it has to belong to this user or to the
  /// administrator: what is made there would be of no use to another user.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isNamed: Whether the user named it for this purpose: then others may write to it as to
  ///     `/tmp`, where nobody can replace the files of another.
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

  /// Checks a file, and the folder that it is in; a file that does not exist passes.
  ///
  /// The file itself is not opened: a lock that this process holds on it would go with the
  /// descriptor.
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

  /// Checks what a descriptor was opened for.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - path: What it was opened by.
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
        description: "others can write to \(PathName(path)) (mode "
          + "\(String(status.st_mode & 0o7777, radix: 8))): check what is in it, then "
          + "chmod go-w \(quoted(path))")
    }
  }

  /// Whether a group is the one that this user alone is in: the primary one, of the same name.
  private static func isPrivate(group: gid_t) -> Bool {
    accounts.withLock { _ in
      guard let user = getpwuid(geteuid())?.pointee, user.pw_gid == group else { return false }
      // What is answered lasts only until the next question.
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

  /// Asks the system about users and groups one at a time, as its answers share their memory.
  private static let accounts = Locked(())

  private static func checkOwner(_ status: stat, _ path: String) throws(Refusal) {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return }
    let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
    let own = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    throw Refusal(
      description: "\(PathName(path)) belongs to another user, \(owner ?? "\(status.st_uid)"): "
        + "set HOME to a folder of your own, as sudo -H does, or chown \(own ?? "\(geteuid())") "
        + quoted(path))
  }

  /// A link counts as whoever made it: it may lead to anything of this user's.
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
