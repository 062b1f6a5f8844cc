import Foundation

/// Writes files that other processes see whole or not at all, and that survive a loss of power.
///
/// The bytes go to a file of another name in the same directory, are saved, and get their name by
/// renaming. The writer holds a lock on its file meanwhile, so that what a killed process left can
/// be told from what another is just writing, also across containers.
enum AtomicFile {
  private static let prefix = ".harmony-"
  private static let suffix = ".tmp"

  /// A file that is complete, and only needs its name.
  struct Draft: ~Copyable {
    fileprivate let path: String
    fileprivate let file: OpenFile

    /// Gives the file its name, in place of what had it.
    ///
    /// - Parameters:
    ///   - target: The path.
    ///   - replaces: Whether a file of that name may be replaced.
    /// - Throws: ``CoreError/Failed``; there is no file left over then.
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

    /// Gives the file the name of another one, if that is still as it was seen.
    ///
    /// - Parameters:
    ///   - target: The path.
    ///   - stamp: The file that has it.
    /// - Throws: ``CoreError/Failed`` if it is another one now, which stays; there is no file left
    ///   over then.
    consuming func publish(as target: String, inPlaceOf stamp: FileStamp) throws {
      let own = path
      guard FileStamp(path: target) == stamp else {
        unlink(own)
        throw Files.failure("replace", target, code: EBUSY)
      }
      // What somebody puts there at the last moment is at hand then, and not lost.
      guard Self.exchange(own, target) else { return try publish(as: target) }
      let isExpected = FileStamp(path: own) == stamp
      if !isExpected { _ = Self.exchange(own, target) }
      unlink(own)
      if !isExpected { throw Files.failure("replace", target, code: EBUSY) }
    }

    /// Exchanges the names of two files; false if the system or the file system cannot do that.
    private static func exchange(_ path: String, _ other: String) -> Bool {
      NameChange.exchange.make(AT_FDCWD, path, AT_FDCWD, other) == 0
    }

    /// Lets the same people do the same with the file as with another; it is its writer's until
    /// then.
    func adopt(_ other: FileStamp) {
      // Only the system's own user may give files away.
      _ = fchown(file.descriptor, other.owner, other.group)
      fchmod(file.descriptor, other.mode)
    }

    /// What the system knows about the file.
    func stamp() throws -> FileStamp { try file.stamp() }

    /// Gives up the file.
    consuming func discard() {
      unlink(path)
    }
  }

  /// Writes and saves a file without its name.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - directory: Where the file will be.
  ///   - target: The path that it will get, for errors; by default they name the directory.
  ///   - lock: The call of the system that locks a descriptor.
  /// - Returns: The file.
  /// - Throws: ``CoreError/Failed``; there is no file left over then.
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
      // A file system without locks has nobody who could take it away either.
      let isOurs = lock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      guard isOurs, FileStamp(path: path) != nil else {
        // Taken for a leftover in the moment between its creation and its lock.
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

  /// Whether a name is one of those that files have before they get theirs.
  static func isTemporary(_ name: String) -> Bool {
    name.utf8.starts(with: prefix.utf8)
      && name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Whether the file system of a directory takes names for equal that differ in case.
  static func ignoresCase(in directory: String) throws -> Bool {
    let draft = try draft([], in: directory)
    let name = (draft.path as NSString).lastPathComponent.uppercased()
    let isFound = FileStamp(path: directory + "/" + name) != nil
    draft.discard()
    return isFound
  }

  /// Removes what killed processes left behind.
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
