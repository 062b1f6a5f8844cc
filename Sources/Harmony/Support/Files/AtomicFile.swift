import Foundation

/// Functions that write files atomically, so that other processes see either all or none of a file,
/// and that survive a power failure.
///
/// The bytes are written to a temporary file in the same directory, which is synchronized and then
/// renamed. The writer holds a lock on it in the meantime, which distinguishes the leftovers of a
/// killed process from files in progress, even across containers.
enum AtomicFile {
  private static let prefix = ".harmony-"
  private static let suffix = ".tmp"

  /// A complete file that only has to be renamed.
  struct Draft: ~Copyable {
    fileprivate let path: String
    fileprivate let file: OpenFile

    /// Renames the file to its final name.
    ///
    /// - Parameters:
    ///   - target: The final path.
    ///   - replaces: Whether an existing file may be replaced.
    /// - Throws: ``CoreError/Failed``, with no temporary file left behind.
    consuming func publish(as target: String, replaces: Bool = true) throws {
      let result =
        if replaces {
          rename(path, target)
        } else if NameChange.intoFree.make(AT_FDCWD, path, AT_FDCWD, target) == 0 {
          Int32(0)
        } else {
          link(path, target)
        }
      let code = errno
      if result != 0 || !replaces { unlink(path) }
      guard result == 0 else { throw Files.failure("write", target, code: code) }
    }

    /// Renames the file to replace another one, if that is unchanged.
    ///
    /// - Parameters:
    ///   - target: The final path.
    ///   - stamp: The file that is expected at that path.
    /// - Throws: ``CoreError/Failed`` if there is another file, which is kept; no temporary file is
    ///   left behind.
    consuming func publish(as target: String, inPlaceOf stamp: FileStamp) throws {
      let own = path
      guard FileStamp(path: target) == stamp else {
        unlink(own)
        throw Files.failure("replace", target, code: EBUSY)
      }
      // Exchanging the names preserves a file that another program puts there at the last moment.
      guard Self.exchange(own, target) else { return try publish(as: target) }
      let isExpected = FileStamp(path: own) == stamp
      if !isExpected { _ = Self.exchange(own, target) }
      unlink(own)
      if !isExpected { throw Files.failure("replace", target, code: EBUSY) }
    }

    /// Exchanges the names of two files; returns false if the system or file system does not
    /// support it.
    private static func exchange(_ path: String, _ other: String) -> Bool {
      NameChange.exchange.make(AT_FDCWD, path, AT_FDCWD, other) == 0
    }

    /// Copies the owner and permissions of another file, as far as possible; until then only the
    /// writer has access.
    func adopt(_ other: FileStamp) {
      // Only the superuser may change the owner of a file.
      _ = fchown(file.descriptor, other.owner, other.group)
      fchmod(file.descriptor, other.mode)
    }

    /// Returns the metadata of the file.
    func stamp() throws -> FileStamp { try file.stamp() }

    /// Removes the file.
    consuming func discard() {
      unlink(path)
    }
  }

  /// Writes and synchronizes a temporary file.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - directory: The directory of the file.
  ///   - target: The final path, for errors; by default they contain the directory.
  ///   - lock: The system call that locks a descriptor.
  /// - Returns: The file.
  /// - Throws: ``CoreError/Failed``, with no temporary file left behind.
  static func draft(
    _ bytes: some Collection<UInt8>, in directory: String, for target: String? = nil,
    lock: (Int32, Int32) -> Int32 = { flock($0, $1) }
  ) throws -> Draft {
    while true {
      let name = prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36) + suffix
      let path = directory + "/" + name
      let file = try OpenFile(
        path, O_WRONLY | O_CREAT | O_EXCL, target == nil ? "create a file in" : "create",
        as: target ?? directory)
      // Without file system support for locks, no other process can remove the file as a leftover.
      let isOurs = lock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      guard isOurs, FileStamp(path: path) != nil else {
        // Another process mistook the file for a leftover between its creation and its lock.
        unlink(path)
        continue
      }
      do {
        try file.write(bytes)
        try file.synchronize()
      } catch {
        unlink(path)
        throw error
      }
      return Draft(path: path, file: file)
    }
  }

  /// Whether a name is that of a temporary file.
  static func isTemporary(_ name: String) -> Bool {
    name.utf8.starts(with: prefix.utf8)
      && name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Returns whether the file system of a directory ignores case in names.
  static func ignoresCase(in directory: String) throws -> Bool {
    let draft = try draft([], in: directory)
    let name = (draft.path as NSString).lastPathComponent.uppercased()
    let isFound = FileStamp(path: directory + "/" + name) != nil
    draft.discard()
    return isFound
  }

  /// Removes the temporary files of killed processes.
  static func removeLeftovers(in directory: String) {
    for name in (try? Files.names(in: directory)) ?? [] where isTemporary(name) {
      let path = directory + "/" + name
      guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlink(path)
    }
  }
}
