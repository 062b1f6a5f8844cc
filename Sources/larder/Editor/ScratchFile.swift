import Foundation
import Harmony
import LarderBrowser

/// A file with text for another program, in a folder of its own that only this user can enter.
///
/// As long as the program, or one that it has started, is running, the folder is in use: they share a
/// lock of it with larder.
struct ScratchFile: Sendable {
  /// Where the file is.
  let path: String
  /// The folder.
  let folder: String
  /// What is closed once the program has ended; -1 where another run has made the file.
  private let lock: Int32

  /// Why text cannot be given or taken.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Makes the file.
  ///
  /// - Throws: ``Failure`` where the system refuses; nothing is left behind then.
  init(_ text: OutsideText, in place: String) throws(Failure) {
    var template = Array("\(place)/\(Self.template)".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(description: "no file for the editor can be made in \(place): \(Self.reason)")
    }
    folder = String(cString: made)
    path = "\(folder)/\(text.name)"
    // Handed on to what is started, so that it lasts as long as the last of them.
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

  /// The file that another run has made.
  ///
  /// - Throws: ``Unseen`` where its folder is not there, is none of this user's, or cannot be seen.
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

  /// Why there is nothing to say about the file of another run.
  struct Unseen: Error {
    /// Whether it is certain that nothing is there.
    let isGone: Bool
  }

  /// Lets go of the lock; whatever was started and goes on still has it.
  ///
  /// To be called once.
  func release() {
    if lock >= 0 { close(lock) }
  }

  /// What is in the file now, up to a byte more than can be taken in.
  ///
  /// - Throws: ``Failure`` with the reason why it cannot be read.
  func bytes() throws(Failure) -> [UInt8] {
    // What takes the place of the file may be something that opening waits for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(description: Self.reason) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(description: "it is not a regular file")
    }
    do {
      return Array(try file.read(upToCount: EditorModel.maximumSize + 1) ?? Data())
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// Whether a program that was given the file, or one that it has started, is running.
  var isInUse: Bool { Self.isInUse(folder) }

  private static func isInUse(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Whether there is nothing but the file, and nobody works on it.
  var isAll: Bool { isAlone && !isInUse }

  /// Whether there is nothing in the folder but the file.
  private var isAlone: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return names?.count == 1 && names?.first.map { "\(folder)/\($0)" } == path
  }

  /// Keeps the folder in use until larder itself has ended, for no other program.
  ///
  /// - Returns: What is to be closed to let go of it; -1 where there is nothing.
  func hold() -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { flock(descriptor, LOCK_SH | LOCK_NB) }
    return descriptor
  }

  /// Removes the file and its folder if it holds some bytes and is all there is.
  ///
  /// A swap file that an editor keeps beside it may hold the only copy of unsaved work, and may appear at
  /// any moment. So the file alone is removed, and then the folder only if it is empty.
  ///
  /// - Parameters:
  ///   - bytes: What larder gave to the editor, or has taken from it.
  ///   - isEnd: Whether larder ends, so that it does not read what the editor writes later.
  /// - Returns: Whether it did, or there was nothing to remove.
  @discardableResult func remove(ifStill bytes: [UInt8], isEnd: Bool = false) -> Bool {
    if let held = try? self.bytes() {
      guard held == bytes, isEnd ? isAlone : isAll, unlink(path) == 0 else { return false }
    }
    return removeIfEmpty()
  }

  /// Removes the folder if there is nothing in it; false where there is.
  func removeIfEmpty() -> Bool { rmdir(folder) == 0 || errno == ENOENT }

  /// Removes the file, and what an editor has left beside it.
  func removeAll() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The folders in a place that runs of larder have made for editors and not removed, and whether
  /// larder or another program is using each.
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
    return Failure(description: "no file for the editor can be written in \(folder): \(reason)")
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
