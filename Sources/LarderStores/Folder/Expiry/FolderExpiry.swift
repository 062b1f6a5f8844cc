import LarderFormats
import Foundation
import Harmony
import LarderModel

/// The rule for the expiry of the files in a folder.
enum FolderExpiry: Sendable {
  /// A fixed time after the modification time, as set by the user.
  case afterWriting(Duration)
  /// As stated in each file.
  case stated(any CacheFileFormat.Type)
  /// As stored by a Harmony cache in a file next to the folder.
  case kept(CacheTimesFile)

  /// The number of files to examine when detecting the format.
  private static let sampleSize = 64

  /// Detects the rule for a folder: an expiry file next to it, or a format that at least 80 % of
  /// the sampled files have.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - path: The path of the folder.
  ///   - cache: The cache for the listings, which will be needed again.
  /// - Returns: The rule, or nil if none applies.
  static func recognized(
    in root: FolderDescriptor, at path: String, _ cache: FolderListingCache
  ) -> FolderExpiry? {
    let file = CacheTimesFile(path: CacheTimesFile.path(besideDirectory: path))
    if (try? file.all())?.isEmpty == false { return .kept(file) }
    var walk = FolderWalk(
      root, cache, prefix: [], after: nil, isBackward: false)
    var counts: [Int: Int] = [:]
    var total = 0
    while total < sampleSize, let path = try? walk.next() {
      guard let path = try? FolderPath(EntryKey(textBytes: path)),
        path.name.first != UInt8(ascii: "."),
        let directory = try? root.directory(path.parents),
        let status = try? directory.status(of: path.name), status.isRegular, status.size > 0
      else { continue }
      total += 1
      guard let start = start(of: path.name, in: directory) else { continue }
      for (place, format) in CacheFileFormats.all.enumerated()
      where format.expiry(start, size: status.size) != nil {
        counts[place, default: 0] += 1
        break
      }
    }
    guard let (place, count) = counts.max(by: { $0.value < $1.value }), count * 10 >= total * 8
    else { return nil }
    return .stated(CacheFileFormats.all[place])
  }

  /// Returns the first bytes of a file.
  static func start(of name: [UInt8], in directory: FolderDescriptor) -> [UInt8]? {
    guard let file = try? directory.openFile(name) else { return nil }
    var bytes = [UInt8](repeating: 0, count: CacheFileFormats.startSize)
    let count = pread(file.number, &bytes, bytes.count, 0)
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }

  /// A description of the rule and its evidence, as a sentence without a full stop.
  var spoken: String {
    switch self {
    case .afterWriting(let duration): Messages.modifiedExpiry(after: duration)
    case .kept(let file): Messages.cacheExpiry(file.path)
    case .stated(let format): Messages.formatExpiry(format.name, because: format.evidence)
    }
  }

  /// Returns an entry with its expiry.
  ///
  /// - Parameters:
  ///   - entry: The entry of a regular file.
  ///   - start: A closure that reads the first bytes of the file, called if the entry has no value.
  /// - Returns: The entry.
  func timed(_ entry: Entry, _ start: () -> [UInt8]?) -> Entry {
    var entry = entry
    switch self {
    case .afterWriting(let duration):
      entry.expires = entry.modified?.addingTimeInterval(duration.inSeconds)
    case .stated(let format):
      let bytes =
        entry.value?.fileBytes.map { Array($0.prefix(CacheFileFormats.startSize)) } ?? start()
      guard let bytes, let expiry = format.expiry(bytes, size: entry.size ?? bytes.count) else {
        return entry
      }
      entry.expires = expiry.expires
      if format.ageOfEndless != nil { entry.modified = nil }
    case .kept(let file):
      guard let times = (try? file.times(named: entry.key.fileName)) ?? nil else {
        entry.expires = CacheTimes.unknownEnd
        return entry
      }
      (entry.modified, entry.expires) = (times.stored, times.expires)
    }
    return entry
  }

  /// Returns the entry of a file as it has to be written to set another expiry.
  ///
  /// - Throws: ``StoreError`` if the expiry cannot be set.
  func timed(_ entry: Entry, expiring date: Date?) throws(StoreError) -> Entry {
    var new = entry
    switch self {
    case .afterWriting(let duration):
      guard let date else {
        throw .alwaysExpires(entry.key, after: duration)
      }
      let written = date.addingTimeInterval(-duration.inSeconds)
      guard let form = entry.form.flatMap({ FileForm(text: $0)?.changed(at: written) }) else {
        throw .notDated(entry.key, written)
      }
      new.form = form.text
      new.modified = written
    case .kept: break
    case .stated(let format):
      guard let bytes = entry.value?.fileBytes, format.expiry(bytes, size: bytes.count) != nil
      else {
        throw .otherFormat(format.name, entry.key.spoken)
      }
      new.value = FolderReader.value(try format.bytes(bytes, expiring: date))
      if let age = format.ageOfEndless {
        // Readers of the cache may rely on the modification time alone.
        let end = date ?? Date(timeIntervalSinceNow: age)
        let form = entry.form.flatMap { FileForm(text: $0)?.changed(at: end) }
        new.form = form?.text ?? entry.form
      }
    }
    new.expires = date
    return new
  }
}

extension FolderExpiry {
  /// Writes expiries to the file next to the folder, leaving the files themselves unchanged.
  func keep(_ entries: [Entry]) throws {
    guard case .kept(let file) = self else { return }
    let changes = try entries.map { entry in
      let name = entry.key.fileName
      let stored = try file.times(named: name)?.stored ?? entry.modified ?? Date()
      return (name, CacheTimes?.some(CacheTimes(stored: stored, expires: entry.expires)))
    }
    try file.setTimes(byName: changes)
  }
}

extension FolderExpiry {
  /// Renames files together with expiries that are stored outside them.
  func following<Result>(
    _ renames: [RenameQuery], by reader: FolderReader, _ rename: () throws -> Result
  ) throws -> Result {
    guard case .kept(let file) = self else { return try rename() }
    var times = try RenamedTimes(
      renames.map { ($0.entryKey.fileName, $0.newKey.fileName) }, in: file)
    try times.begin { new in
      do { return try reader.read(.text(new)) == nil } catch { return false }
    }
    let result: Result
    do {
      result = try rename()
    } catch {
      // The files before the failed one have been renamed.
      try? times.finish { old in
        do { return try reader.read(.text(old)) == nil } catch { return false }
      }
      throw error
    }
    try times.finish()
    return result
  }
}

extension EntryKey {
  /// The name that a Harmony cache uses for the file; such a cache has no subfolders.
  fileprivate var fileName: String {
    if case .text(let text) = self { text } else { "" }
  }
}
