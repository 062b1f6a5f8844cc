import Foundation
import Harmony
import LarderBrowser

/// A file with text for another program, in its own folder that only this user can enter.
///
/// The folder is in use while the program, or one that it has started, is running: they inherit a
/// shared lock on it from larder.
struct ScratchFile: Sendable {
  /// The path of the file.
  let path: String
  /// The path of the folder.
  let folder: String
  /// The descriptor that holds the lock; -1 for a file created by another process of larder.
  private let lock: Int32

  /// The reason why the file cannot be created or read.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Creates the file.
  ///
  /// - Throws: ``Failure`` if the file cannot be written; the folder is removed again.
  init(_ text: ExternalText, in place: String) throws(Failure) {
    var template = Array("\(place)/\(Self.template)".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw .notCreated(in: place, Self.reason)
    }
    folder = String(cString: made)
    path = "\(folder)/\(text.name)"
    // Inherited by child processes, so that the lock lasts until the last of them exits.
    lock = open(folder, O_RDONLY | O_DIRECTORY)
    if lock >= 0 { flock(lock, LOCK_SH | LOCK_NB) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refused() }
    var isWritten = true
    Array(text.text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, isWritten {
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else {
          isWritten = count < 0 && errno == EINTR
        }
      }
    }
    let failure = isWritten ? nil : refused()
    close(descriptor)
    if let failure { throw failure }
  }

  /// Accesses a file created by another process of larder.
  ///
  /// - Throws: ``Unseen`` if its folder does not exist, is not private to this user or is
  ///   inaccessible.
  init(path: String) throws(Unseen) {
    guard let slash = path.lastIndex(of: "/") else { throw Unseen(isGone: false) }
    self.path = path
    folder = String(path[..<slash])
    lock = -1
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw Unseen(isGone: errno == ENOENT) }
    do {
      try TrustedPath.check(folder: folder)
    } catch {
      throw Unseen(isGone: false)
    }
  }

  /// The error for a file of another process that cannot be examined.
  struct Unseen: Error {
    /// Whether the folder definitely does not exist.
    let isGone: Bool
  }

  /// Releases larder's own lock; child processes keep theirs.
  ///
  /// Must be called only once.
  func release() {
    if lock >= 0 { close(lock) }
  }

  /// Returns the contents of the file, up to one byte more than the maximum size.
  ///
  /// - Throws: ``Failure`` if the file cannot be read.
  func bytes() throws(Failure) -> [UInt8] {
    // Opening a FIFO in place of the file would block without `O_NONBLOCK`.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(description: Self.reason) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notRegular
    }
    do {
      return Array(try file.read(upToCount: EditorModel.maximumSize + 1) ?? Data())
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// Whether a program that was given the file, or one of its child processes, is running.
  var isInUse: Bool { Self.isInUse(folder) }

  private static func isInUse(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Whether the folder contains only the file, and no program is using it.
  var isAll: Bool { isAlone && !isInUse }

  /// Whether the folder contains only the file.
  private var isAlone: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return names?.count == 1 && names?.first.map { "\(folder)/\($0)" } == path
  }

  /// Locks the folder until larder exits; child processes do not inherit the lock.
  ///
  /// - Returns: The descriptor that holds the lock; -1 if the folder cannot be opened.
  func hold() -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { flock(descriptor, LOCK_SH | LOCK_NB) }
    return descriptor
  }

  /// Removes the file and its folder, if the file has the given contents and is the only one.
  ///
  /// An editor's swap file can hold the only copy of unsaved work and can appear at any time.
  /// Therefore only the file is unlinked, and the folder is removed only if that leaves it empty.
  ///
  /// - Parameters:
  ///   - bytes: The contents that larder has written or read.
  ///   - isEnd: Whether larder is about to exit, so that a running program does not matter.
  /// - Returns: Whether everything was removed, or was gone already.
  @discardableResult func remove(ifStill bytes: [UInt8], isEnd: Bool = false) -> Bool {
    if let held = try? self.bytes() {
      guard held == bytes, isEnd ? isAlone : isAll, unlink(path) == 0 else { return false }
    }
    return removeIfEmpty()
  }

  /// Removes the folder if it is empty, and returns whether it is gone.
  func removeIfEmpty() -> Bool { rmdir(folder) == 0 || errno == ENOENT }

  /// Removes the file, and any other files that the editor has left in the folder.
  func removeAll() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the folders that processes of larder have left behind, and whether each is in use.
  static func leftovers(in place: String) -> [(folder: String, isInUse: Bool)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.sorted().compactMap { name in
      let folder = "\(place)/\(name)"
      var status = stat()
      guard name.utf8.count == template.utf8.count, name.hasPrefix(prefix),
        lstat(folder, &status) == 0, status.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700,
        status.st_uid == geteuid()
      else { return nil }
      return (folder, isInUse(folder))
    }
  }

  private static let prefix = "larder-edit-"
  private static let template = prefix + "XXXXXX"

  private func refused() -> Failure {
    let reason = Self.reason
    release()
    removeAll()
    return .notCreated(in: folder, reason)
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
