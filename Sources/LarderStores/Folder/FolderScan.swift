import LarderFiles
import Foundation
import LarderModel

/// Finds the entries of a page, or counts them, file by file.
struct FolderScan {
  let root: FolderDescriptor
  let cache: FolderListingCache
  let flag: CancelFlag
  /// Until when files count; nil where they do not say, and nobody else does.
  var life: FolderLife?

  /// The entries of one page.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    guard let query = query.inKeyOrder else { return try sorted(query) }
    var page: [Entry] = []
    guard query.limit > 0 else { return page }
    try walk(
      prefix: query.prefix, filter: query.filter, after: query.after,
      isBackward: query.direction == .backward, scan: query.scan
    ) { key, path, file in
      let entry = try entry(key, path, file, query.expiring, query.detail)
      if let entry { page.append(entry) }
      return page.count < query.limit
    }
    return page
  }

  /// The entries of a page in another order, for which all are looked at.
  private func sorted(_ query: EntryPageQuery) throws -> [Entry] {
    let matcher = try query.filter.map { filter throws(StoreError) in
      try KeyMatcher(filter, telling: nil)
    }
    let rank = try query.rankAfter(matcher) { key in
      let entry = try? summary(key)
      return entry?.size == nil ? nil : entry
    }
    var selection = SortedSelection(query, after: rank)
    var meter = ScanMeter(query.scan, isWhole: true)
    try walk(
      prefix: query.prefix, filter: query.filter, after: nil, isBackward: false, scan: nil,
      unreadable: query.scan
    ) { key, path, file in
      try meter.countOneOfAll()
      let needsFacts = query.order.needsFacts || query.expiring != nil
      let listed = needsFacts ? try summary(key) : Entry(key: key)
      guard query.expiring?.contains(listed.expires) ?? true else { return true }
      let rank =
        query.order.needsFacts
        ? query.order.rank(of: listed) : matcher?.rank(of: key) ?? .unknown
      try selection.take(rank, key) { key in
        needsFacts && query.detail == .summary
          ? listed : try entry(key, path, file, nil, query.detail) ?? listed
      }
      return true
    }
    let page = selection.takePage()
    meter.report(position: nil, isComplete: !selection.hasMore)
    return page
  }

  /// The number of entries, as the answer to a query.
  func count(_ query: CountQuery) throws -> Entry {
    var count = 0
    var bytes: Int? = query.measures ? 0 : nil
    try walk(
      prefix: query.prefix, filter: query.filter, after: nil, isBackward: false, scan: query.scan
    ) { key, _, _ in
      count += 1
      if let sum = bytes { bytes = try summary(key).size.map { sum + $0 } }
      return true
    }
    return CountQuery.answer(count, bytes: bytes)
  }

  /// Hands each match to `take` until it wants no more.
  private func walk(
    prefix: String, filter: EntryFilter?, after: EntryKey?, isBackward: Bool, scan: Scan?,
    unreadable: Scan? = nil, _ take: (EntryKey, [UInt8], FolderReader.File?) throws -> Bool
  ) throws {
    let matcher = try filter.map { filter throws(StoreError) in
      try KeyMatcher(filter, telling: scan ?? unreadable)
    }
    let searchesValues = filter?.field == .values
    var meter = ScanMeter(scan)
    var walk = FolderWalk(
      root, cache, prefix: Array(prefix.utf8), after: try after.map(FolderPath.bytes),
      isBackward: isBackward)
    var position = after
    var isStopped = false
    while let path = try walk.next() {
      try flag.check()
      if isStopped {
        meter.report(position: position)
        return
      }
      var file: FolderReader.File?
      var isMatch = true
      if let matcher {
        if searchesValues {
          let key = EntryKey(textBytes: path)
          file = read(key, for: scan ?? unreadable)
          isMatch = file.map { matcher.matches(.data($0.bytes), of: key) } ?? false
        } else {
          isMatch = path.withUnsafeBytes { matcher.matches($0) }
        }
      }
      let isSpent = meter.countOne()
      if isMatch {
        let key = EntryKey(textBytes: path)
        isStopped = try !take(key, path, file)
      }
      if isStopped || isSpent || meter.examined % 1_000 == 0 {
        position = EntryKey(textBytes: path)
        meter.report(position: position)
      }
      if isSpent { isStopped = true }
    }
    meter.report(position: position, isComplete: true)
  }

  private func entry(
    _ key: EntryKey, _ path: [UInt8], _ file: FolderReader.File?, _ span: ExpirySpan?,
    _ detail: EntryPageQuery.Detail
  ) throws -> Entry? {
    if let span {
      let listed = try summary(key)
      guard span.contains(listed.expires) else { return nil }
      if detail == .summary { return listed }
    }
    switch detail {
    case .keys: return Entry(key: key)
    case .values:
      if let file = file ?? read(key, for: nil) { return timed(file.entry(key)) }
      return try summary(key, isBytes: true)
    case .summary: return try summary(key)
    }
  }

  /// An entry of a file that was read whole, with its expiry.
  func timed(_ entry: Entry) -> Entry {
    life?.timed(entry) { nil } ?? entry
  }

  /// What is known without reading: links and special files are listed, and never read.
  ///
  /// A file that could not be read is bytes, as it is not known to be text.
  private func summary(_ key: EntryKey, isBytes: Bool = false) throws -> Entry {
    // A folder that nobody is let into.
    if key.isOfFolder {
      var folder = Entry(key: key, type: .data, size: 0)
      folder.specialType = "folder"
      return folder
    }
    let path = try FolderPath(key)
    guard let directory = try? root.directory(path.parents),
      let status = try? directory.status(of: path.name)
    else { return Entry(key: key) }
    var entry = Entry(
      key: key, type: status.isRegular && !isBytes ? nil : .data, size: status.size,
      modified: status.modified)
    entry.specialType = status.specialType
    guard let life, status.isRegular else { return entry }
    return life.timed(entry) { FolderLife.start(of: path.name, in: directory) }
  }

  /// A file, or nil where it went away, is none, or could not be read, which is reported.
  private func read(_ key: EntryKey, for scan: Scan?) -> FolderReader.File? {
    do {
      guard !key.isOfFolder else {
        throw StoreError.cannotOpen("a folder that permissions keep larder from")
      }
      return try FolderReader(root: root).read(key)
    } catch StoreError.notSupported {
      // Links and special files have no value to look in.
    } catch let failure as FileFailure {
      let sentences = FileSentences(key.spoken)
      scan?.report(unreadable: key, sentences.storeError(failure, .reading))
    } catch {
      scan?.report(unreadable: key, StoreError(error))
    }
    return nil
  }
}
