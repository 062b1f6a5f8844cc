import LarderFiles
import Foundation
import LarderModel

/// A scan of the files in a folder, for a page of entries or their count.
struct FolderScan {
  let root: FolderDescriptor
  let cache: FolderListingCache
  let flag: CancelFlag
  /// The rules for the expiry of files, or nil if the files have no expiry.
  var life: FolderExpiry?

  /// Returns the entries of a page.
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

  /// Returns the entries of a page in an order that requires examining all files.
  private func sorted(_ query: EntryPageQuery) throws -> [Entry] {
    let matcher = try KeyMatcher.of(query.filter, telling: nil)
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

  /// Returns an entry with the number of entries that match a query.
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

  /// Calls `take` with each match until it returns false.
  private func walk(
    prefix: String, filter: EntryFilter?, after: EntryKey?, isBackward: Bool, scan: Scan?,
    unreadable: Scan? = nil, _ take: (EntryKey, [UInt8], FolderReader.File?) throws -> Bool
  ) throws {
    let matcher = try KeyMatcher.of(filter, telling: scan ?? unreadable)
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
    _ key: EntryKey, _ path: [UInt8], _ file: FolderReader.File?, _ span: ExpiryRange?,
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

  /// Returns the entry of a file that was read completely, with its expiry.
  func timed(_ entry: Entry) -> Entry {
    life?.timed(entry) { nil } ?? entry
  }

  /// Returns the entry for a file from its metadata alone.
  ///
  /// Links and special files are listed but never read.
  ///
  /// The type of a file that could not be read is data, as it is not known to be text.
  private func summary(_ key: EntryKey, isBytes: Bool = false) throws -> Entry {
    // A folder that may not be listed.
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
    return life.timed(entry) { FolderExpiry.start(of: path.name, in: directory) }
  }

  /// Returns a file, or nil if it was removed, is not regular, or cannot be read, which is reported
  /// to the scan.
  private func read(_ key: EntryKey, for scan: Scan?) -> FolderReader.File? {
    do {
      guard !key.isOfFolder else {
        throw StoreError.cannotOpen("a folder that you have no permission to read")
      }
      return try FolderReader(root: root).read(key)
    } catch StoreError.notSupported {
      // Links and special files have no value to search.
    } catch let failure as FileFailure {
      let sentences = FileMessages(key.spoken)
      scan?.report(unreadable: key, sentences.storeError(failure, .reading))
    } catch {
      scan?.report(unreadable: key, StoreError(error))
    }
    return nil
  }
}
