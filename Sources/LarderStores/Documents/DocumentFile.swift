import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderDocuments
import LarderStoreBase

/// A file that contains a document, parsed again whenever it changes.
///
/// Links are followed, and the target is replaced in its folder. The parsed document is cached as
/// long as the file's metadata is unchanged, except for recently modified files: a second write
/// within one tick of the clock would leave the metadata unchanged.
final class DocumentFile<Contents: Document>: Sendable {
  /// A parsed document with the file it was read from.
  struct Reading: Sendable {
    let document: Contents
    let keys: DocumentKeys<Contents>
    let file: FolderReader.File
    /// Whether the file exists.
    var isThere: Bool { file.status.links > 0 }
    /// Whether the file had not been modified for long enough when it was read.
    let isSettled: Bool

    var bytes: [UInt8] { file.bytes }
    var status: FileStatus { file.status }
  }

  /// The location of a file after resolving links.
  struct Place {
    let directory: FolderDescriptor
    let name: [UInt8]

    /// The name as a key in the directory.
    var key: EntryKey { EntryKey(textBytes: name) }
  }

  /// The path as it was given.
  let path: String
  private let format: String
  private let backupEnding: String?
  let companion: DefaultsCompanion?
  private let kept = Locked<Reading?>(nil)
  let leftovers = FolderLeftovers()

  /// Creates a document file.
  ///
  /// - Parameters:
  ///   - path: The path, which may contain links.
  ///   - format: The expected format, for error messages such as "x is not JSON".
  ///   - backupEnding: The suffix of a backup file that, if present, the program restores as the
  ///     file itself when it next starts.
  ///   - companion: The lock of other programs that write the file. If not nil, the file may be
  ///     missing.
  init(
    path: String, format: String, backupEnding: String? = nil,
    companion: DefaultsCompanion? = nil
  ) {
    self.path = path
    self.format = format
    self.backupEnding = backupEnding
    self.companion = companion
  }

  /// The file, and the backup that its program would restore.
  var watchedPaths: [WatchedPath] {
    [path, backupPath].compactMap { $0 }.map { .file($0) }
  }

  /// Returns the current document.
  func read() throws(StoreError) -> Reading {
    do {
      return try readOrAbsent(at: place())
    } catch {
      throw FileMessages(path).storeError(error, .reading)
    }
  }

  /// Returns the document at a location; an empty one if the file is missing but has a companion.
  func readOrAbsent(at place: @autoclosure () throws -> Place) throws -> Reading {
    do {
      return try read(at: place())
    } catch let failure as FileFailure where failure.isMissing {
      guard let companion else { throw failure }
      return try absent(companion)
    }
  }

  /// Returns the document at a location.
  ///
  /// Many programs truncate a file before they write it, so an invalid file that was modified
  /// within the last second is read again several times before an error is thrown.
  func read(at place: Place) throws -> Reading {
    for _ in 0..<Self.patience {
      do {
        return try readOnce(at: place)
      } catch StoreError.corrupt {
        guard try place.directory.status(of: place.name)?.isOlder(than: 1, at: Date()) == false
        else { break }
        usleep(10_000)
      }
    }
    return try readOnce(at: place)
  }

  private func readOnce(at place: Place) throws -> Reading {
    let before = kept.withLock { $0 }
    if let before, before.isSettled,
      try place.directory.status(of: place.name) == before.status
    {
      return before
    }
    let now = Date()
    guard let file = try FolderReader(root: place.directory).read(place.key) else {
      throw FileFailure(ENOENT)
    }
    let isSettled = file.status.isOlder(than: 0.1, at: now)
    if let before, before.bytes == file.bytes {
      return keep(
        Reading(document: before.document, keys: before.keys, file: file, isSettled: isSettled))
    }
    return keep(
      Reading(
        document: try parse(file.bytes), keys: DocumentKeys(), file: file, isSettled: isSettled))
  }

  /// Returns the document for a missing file.
  private func absent(_ companion: DefaultsCompanion) throws -> Reading {
    let bytes = companion.emptyBytes
    return Reading(
      document: try parse(bytes), keys: DocumentKeys(),
      file: .init(bytes: bytes, status: FileStatus(stat())), isSettled: false)
  }

  private func keep(_ reading: Reading) -> Reading {
    kept.withLock { $0 = reading }
    return reading
  }

  /// Caches the document that was just written.
  func keep(_ document: Contents, _ file: FolderReader.File) {
    _ = keep(Reading(document: document, keys: DocumentKeys(), file: file, isSettled: false))
  }

  /// The number of attempts to read an invalid file.
  private static var patience: Int { 8 }

  /// Parses the contents, or throws an error that describes what is invalid.
  private func parse(_ bytes: [UInt8]) throws(StoreError) -> Contents {
    do {
      return try Contents(parsing: bytes)
    } catch {
      if bytes.isEmpty { throw .corrupt(StoreError.empty(path).message) }
      throw .unparsable(path, as: format, error)
    }
  }

  /// Returns the location of the file, or of its backup if there is one, after resolving links.
  func place() throws(FileFailure) -> Place {
    let bytes = try resolvedPath()
    let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    let directory = try FolderDescriptor(entering: Array(bytes[..<max(slash, 1)]))
    let name = Array(bytes[(slash + 1)...])
    if let backupEnding {
      let backup = name + Array(backupEnding.utf8)
      if try directory.status(of: backup)?.isRegular == true {
        return Place(directory: directory, name: backup)
      }
    }
    return Place(directory: directory, name: name)
  }

  /// The path of the backup, which is beside the target of a link.
  private var backupPath: String? {
    backupEnding.map { ResolvedPath.evenIfMissing(path) + $0 }
  }

  /// The path of the file to write: the backup if there is one.
  var writtenPath: String {
    guard let backupPath, access(backupPath, F_OK) == 0 else { return path }
    return backupPath
  }

  /// Returns the path without links, also of a missing file if it may be created.
  private func resolvedPath() throws(FileFailure) -> [UInt8] {
    if let resolved = ResolvedPath.bytes(of: Array(path.utf8)) { return resolved }
    let failure = FileFailure(errno)
    guard failure.number == ENOENT, companion != nil || writtenPath != path else { throw failure }
    return Array(ResolvedPath.evenIfMissing(path).utf8)
  }
}

extension FileStatus {
  /// Returns whether the file was not changed in the last seconds, by the clock that set its times.
  func isOlder(than seconds: TimeInterval, at now: Date) -> Bool {
    max(modified, statusTime.date).distance(to: now) > seconds
  }
}
