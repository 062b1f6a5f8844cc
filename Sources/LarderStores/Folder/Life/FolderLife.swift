import LarderFormats
import Foundation
import Harmony
import LarderModel

/// Until when the files of a folder count.
enum FolderLife: Sendable {
  /// So long after they were written, as a user said.
  case afterWriting(Duration)
  /// As they say themselves.
  case stated(any FileLifeFormat.Type)
  /// As a cache of Harmony keeps it in a file beside the folder.
  case kept(CacheTimesFile)

  /// How many files are looked at to find out how a folder's files state it.
  private static let sampleSize = 64

  /// What the files of a folder say, if most of those that were looked at say it in one form.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - path: Where it is.
  ///   - cache: Keeps what is listed, as it will be again.
  /// - Returns: nil where they state nothing.
  static func recognised(
    in root: FolderDescriptor, at path: String, _ cache: FolderListingCache
  ) -> FolderLife? {
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
      for (place, format) in FileLifeFormats.all.enumerated()
      where format.life(start, size: status.size) != nil {
        counts[place, default: 0] += 1
        break
      }
    }
    guard let (place, count) = counts.max(by: { $0.value < $1.value }), count * 10 >= total * 8
    else { return nil }
    return .stated(FileLifeFormats.all[place])
  }

  /// The first bytes of a file.
  static func start(of name: [UInt8], in directory: FolderDescriptor) -> [UInt8]? {
    guard let file = try? directory.openFile(name) else { return nil }
    var bytes = [UInt8](repeating: 0, count: FileLifeFormats.startSize)
    let count = pread(file.number, &bytes, bytes.count, 0)
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }

  /// What it is recognised from, as a sentence without its end.
  var spoken: String {
    switch self {
    case .afterWriting(let duration):
      "files count \(duration.clockText) from when they were written, as was asked for"
    case .kept(let file):
      "expiry from \(file.path), where a cache of Harmony keeps it"
    case .stated(let format):
      "expiry as \(format.name) keeps it, because \(format.evidence)"
    }
  }

  /// An entry with what the folder says of it.
  ///
  /// - Parameters:
  ///   - entry: The entry of a regular file.
  ///   - start: Reads the first bytes of the file, where the entry has no value.
  /// - Returns: The entry.
  func timed(_ entry: Entry, _ start: () -> [UInt8]?) -> Entry {
    var entry = entry
    switch self {
    case .afterWriting(let duration):
      entry.expires = entry.modified?.addingTimeInterval(duration.inSeconds)
    case .stated(let format):
      let bytes =
        entry.value?.fileBytes.map { Array($0.prefix(FileLifeFormats.startSize)) } ?? start()
      guard let bytes, let life = format.life(bytes, size: entry.size ?? bytes.count) else {
        return entry
      }
      entry.expires = life.expires
      if format.setsTimeToEnd { entry.modified = nil }
    case .kept(let file):
      guard let times = (try? file.times(named: entry.key.fileName)) ?? nil else {
        entry.expires = CacheTimes.unknownEnd
        return entry
      }
      (entry.modified, entry.expires) = (times.stored, times.expires)
    }
    return entry
  }

  /// A file that was read, as it would be written with another end.
  ///
  /// - Throws: ``StoreError`` where it cannot be.
  func timed(_ entry: Entry, expiring date: Date?) throws(StoreError) -> Entry {
    var new = entry
    switch self {
    case .afterWriting(let duration):
      guard let date else {
        throw .notSupported(
          "\(entry.key.spoken) counts \(duration.clockText) from when it was written, and has no way "
            + "to count for ever; nothing was written")
      }
      let written = date.addingTimeInterval(-duration.inSeconds)
      guard let form = entry.form.flatMap({ FileForm(text: $0)?.changed(at: written) }) else {
        throw .notSupported(
          "\(entry.key.spoken) cannot have been written at \(Timestamp.text(of: written)); nothing "
            + "was written")
      }
      new.form = form.text
      new.modified = written
    case .kept: break
    case .stated(let format):
      guard let bytes = entry.value?.fileBytes, format.life(bytes, size: bytes.count) != nil else {
        throw .notSupported(
          "\(entry.key.spoken) is no file of \(format.name), which the others are; nothing was written"
        )
      }
      new.value = FolderReader.value(try format.bytes(bytes, expiring: date))
      if format.setsTimeToEnd {
        // Who reads the cache may trust the time alone.
        let end = date ?? format.timeOfEndless(writtenAt: Date())
        let form = entry.form.flatMap { FileForm(text: $0)?.changed(at: end) }
        new.form = form?.text ?? entry.form
      }
    }
    new.expires = date
    return new
  }
}

extension FolderLife {
  /// Whether when a file expires is kept outside of it.
  var isLoose: Bool {
    if case .kept = self { true } else { false }
  }

  /// Writes when files expire into the file beside the folder, and nothing into them.
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

extension FolderLife {
  /// Renames files, whose times follow them where they are kept outside of them.
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
      // Those before the one that was refused are renamed.
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
  /// What a cache calls the file of this key: files of such a cache are in no folders.
  fileprivate var fileName: String {
    if case .text(let text) = self { text } else { "" }
  }
}
