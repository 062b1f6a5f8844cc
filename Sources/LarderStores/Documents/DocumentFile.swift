import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderDocuments

/// A file that holds a document, read again whenever it is another one than before.
///
/// A link is followed to the file, which is then replaced where it is. What was read is kept as
/// long as the disk says that nobody has written since, which it cannot say of the last moments:
/// a second write within one tick of its clock leaves no trace.
final class DocumentFile<Contents: Document>: Sendable {
  /// A document and the file that it was read from.
  struct Reading: Sendable {
    let document: Contents
    let keys: DocumentKeys<Contents>
    let file: FolderReader.File
    /// Whether there was a file.
    var isThere: Bool { file.status.links > 0 }
    /// Whether the file had been left alone for long enough when it was read.
    let isSettled: Bool

    var bytes: [UInt8] { file.bytes }
    var status: FileStatus { file.status }
  }

  /// Where a file is, apart from links.
  struct Place {
    let directory: FolderDescriptor
    let name: [UInt8]

    /// The name as a key of the directory.
    var key: EntryKey { EntryKey(textBytes: name) }
  }

  /// The path as it was given.
  let path: String
  private let format: String
  private let backupEnding: String?
  let companion: (any DocumentCompanion)?
  private let kept = Locked<Reading?>(nil)
  let leftovers = FolderLeftovers()

  /// Names a file.
  ///
  /// - Parameters:
  ///   - path: The path, which may lead through links.
  ///   - format: What the file has to be, in a sentence such as "x is not JSON".
  ///   - backupEnding: What the name of a file ends in that, where there is one beside it, its
  ///     program takes for the file itself when it is started next.
  ///   - companion: The lock of other programs that write the file, which need not be there.
  init(
    path: String, format: String, backupEnding: String? = nil,
    companion: (any DocumentCompanion)? = nil
  ) {
    self.path = path
    self.format = format
    self.backupEnding = backupEnding
    self.companion = companion
  }

  /// The file, and what its program takes for it.
  var watchedPlaces: [WatchedPlace] {
    var paths = [path]
    if let backupEnding { paths.append((ResolvedPath.of(path) ?? path) + backupEnding) }
    return paths.map { .file($0) }
  }

  /// The document that the file holds now.
  func read() throws(StoreError) -> Reading {
    do {
      return try readOrAbsent(at: place())
    } catch {
      throw FileSentences(path).storeError(error, .reading)
    }
  }

  /// The document in a place, without members where there may be no file and there is none.
  func readOrAbsent(at place: @autoclosure () throws -> Place) throws -> Reading {
    do {
      return try read(at: place())
    } catch let failure as FileFailure where failure.isMissing {
      guard let companion else { throw failure }
      return try absent(companion)
    }
  }

  /// The document in a place.
  ///
  /// Many programs empty a file before they write it; one that is broken and was touched just now
  /// is looked at again before anybody is told.
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

  /// What a file that is not there holds.
  private func absent(_ companion: any DocumentCompanion) throws -> Reading {
    let bytes = companion.emptyBytes
    return Reading(
      document: try parse(bytes), keys: DocumentKeys(),
      file: .init(bytes: bytes, status: FileStatus(stat())), isSettled: false)
  }

  private func keep(_ reading: Reading) -> Reading {
    kept.withLock { $0 = reading }
    return reading
  }

  /// Remembers what was just written.
  func keep(_ document: Contents, _ file: FolderReader.File) {
    _ = keep(Reading(document: document, keys: DocumentKeys(), file: file, isSettled: false))
  }

  /// How often a file that is broken is looked at.
  private static var patience: Int { 8 }

  /// Takes bytes apart, or says what is wrong with the file.
  private func parse(_ bytes: [UInt8]) throws(StoreError) -> Contents {
    do {
      return try Contents(parsing: bytes)
    } catch {
      if bytes.isEmpty { throw .corrupt("\(path) is empty: 0 bytes; nothing to browse") }
      throw .corrupt("\(path) is not \(format): \(error.description)")
    }
  }

  /// The directory and the name of the file, apart from links.
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

  /// The path of the file that is written: the backup, where there is one.
  var writtenPath: String {
    guard let backupEnding, access(path + backupEnding, F_OK) == 0 else { return path }
    return path + backupEnding
  }

  /// The path without links, of which a file that is not there has one too if it may be made.
  private func resolvedPath() throws(FileFailure) -> [UInt8] {
    if let resolved = ResolvedPath.bytes(of: Array(path.utf8)) { return resolved }
    let failure = FileFailure(errno)
    guard failure.number == ENOENT, companion != nil || writtenPath != path else { throw failure }
    return Array(ResolvedPath.evenIfMissing(path).utf8)
  }
}

extension FileStatus {
  /// Whether nobody has changed the file in the last seconds, by the clock that set its times.
  func isOlder(than seconds: TimeInterval, at now: Date) -> Bool {
    let changed = Date(
      timeIntervalSince1970: Double(changedSeconds) + Double(changedNanoseconds) / 1e9)
    return max(modified, changed).distance(to: now) > seconds
  }
}
