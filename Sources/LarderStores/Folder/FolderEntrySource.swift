import Dispatch
import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderStoreBase

/// A data source whose entries are the files below a folder, with their relative paths as keys.
///
/// Page reads, scans and writes each run on their own queue, where their futures complete.
final class FolderEntrySource: EntrySource {
  private let path: String
  private let isReadOnly: Bool
  private let patience: Duration
  private let warnings: WarningCollector
  private let expiry: FolderExpiry?
  private let cache: FolderListingCache
  private let leftovers = FolderLeftovers()
  private let pages = DispatchQueue(label: "larder.folder.page")
  private let scans = DispatchQueue(label: "larder.folder.scan")
  private let writes = DispatchQueue(label: "larder.folder.write")

  init(
    path: String, isReadOnly: Bool, patience: Duration, warnings: WarningCollector,
    expiry: FolderExpiry? = nil,
    cache: FolderListingCache = FolderListingCache()
  ) {
    self.expiry = expiry
    self.cache = cache
    self.path = path
    self.isReadOnly = isReadOnly
    self.patience = patience
    self.warnings = warnings
  }

  func read(_ keys: [EntryKey]) -> Future<[Entry]> {
    future(pages) { [expiry] root, _ in try keys.map { try Self.read($0, root, expiry) } }
  }

  func answer(_ query: CountQuery) -> Future<Entry> {
    guard query.precision == .exact else { return query.unsupported() }
    return future(scans) { [cache] root, flag in
      try FolderScan(root: root, cache: cache, flag: flag).count(query)
    }
  }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    let isScan = query.filter != nil || query.inKeyOrder == nil
    return future(isScan ? scans : pages) { [cache, expiry] root, flag in
      try query.checkOrder(expiry == nil ? .modified : [.modified, .expiry])
      return try FolderScan(root: root, cache: cache, flag: flag, expiry: expiry).page(query)
    }
  }

  func answer(_ query: PresenceQuery) -> Future<Entry> {
    future(pages) { root, _ in
      let key = query.entryKey
      let status = try FolderReader(root: root).status(key).found(key)
      return Entry(key: key, size: status.size, modified: status.modified)
    }
  }

  func answer(_ query: EntriesQuery) -> Future<[Entry]> {
    future(pages) { [expiry] root, _ in
      let reader = FolderReader(root: root)
      return try query.answer { try reader.read($0)?.entry($0).timed(by: expiry) }
    }
  }

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> {
    write { [expiry] writer in
      try writes.enumerated().map { place, write in
        try writer.afterOthers(place) {
          try writer.put(write.value, form: write.form, write.request).timed(by: expiry)
        }
      }
    }
  }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> {
    write { [expiry] writer in
      let rename = { try writer.rename(renames, scan) }
      let written = try expiry?.following(renames, by: writer.reader, rename) ?? rename()
      writer.warnOfEmptyFolders(by: renames.map(\.entryKey))
      return written.map { $0.timed(by: expiry) }
    }
  }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> {
    write { [expiry] writer in
      let written = try writer.make(query).map { $0.timed(by: expiry) }
      writer.warnOfEmptyFolders(by: query.changes.filter { $0.value == nil }.map(\.key))
      return written
    }
  }

  func answer(_ query: RecordedChangeQuery) -> Future<[Entry]> {
    write { [expiry] writer in
      guard let expiry, case .renames(let renames) = query.change else {
        return try writer.make(query).map { $0.timed(by: expiry) }
      }
      return try expiry.following(renames.renames, by: writer.reader) {
        try writer.make(query)
      }.map { $0.timed(by: expiry) }
    }
  }

  func answer(_ query: ImportQuery) -> Future<Entry> {
    write { writer in CountQuery.answer(try writer.take(query)) }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    if let query = query as? SecondLinkQuery { return write { try $0.delete(query) } }
    return DeleteRequest(query).map(answer) ?? query.unsupported()
  }

  func answer(_ request: DeleteRequest) -> Future<Void> {
    write { [cache] writer in
      switch request {
      case .one(let key, let condition):
        if try writer.delete(key, condition) { writer.warnOfEmptyFolders(by: [key]) }
      case .several(let keys):
        var gone: [EntryKey] = []
        defer { writer.warnOfEmptyFolders(by: gone) }
        for (count, key) in keys.enumerated() {
          let isGone = try writer.afterOthers(count, "deleted", key) { try writer.delete(key) }
          gone += isGone ? [key] : []
        }
      case .prefix(let prefix, let scan): try writer.delete(under: prefix, cache, scan)
      case .all: try writer.delete(under: "", cache, nil)
      }
    }
  }

  private static func read(
    _ key: EntryKey, _ root: FolderDescriptor, _ expiry: FolderExpiry?
  ) throws -> Entry {
    guard let file = try FolderReader(root: root).read(key) else {
      throw CoreError.NotFound.file(key)
    }
    var entry = file.entry(key).timed(by: expiry)
    entry.obstacle = try? FolderReader(root: root).obstacle(key)
    return entry
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (FolderWriter) throws -> Value
  ) -> Future<Value> {
    if isReadOnly {
      return Future(StoreError.openedReadOnly(path))
    }
    return future(writes, .writing) { [leftovers, path, patience, warnings] root, _ in
      let writer = FolderWriter(
        root, leftovers, path: path, patience: patience, warnings: warnings)
      // Losses are reported even if a later change failed.
      defer { writer.warnings.tell() }
      let result = try body(writer)
      try writer.warnings.check()
      return result
    }
  }

  private func future<Value: Sendable>(
    _ queue: DispatchQueue, _ attempt: FileMessages.Attempt = .reading,
    _ body: @escaping @Sendable (FolderDescriptor, CancelFlag) throws -> Value
  ) -> Future<Value> {
    queue.future { [path] flag in
      do {
        return try body(try Self.root(path), flag)
      } catch let failure as FileFailure {
        throw FileMessages(path, isFolder: true).storeError(failure, attempt)
      }
    }
  }

  /// Opens the root folder.
  private static func root(_ path: String) throws -> FolderDescriptor {
    do throws(FileFailure) {
      return try FolderDescriptor(root: path)
    } catch {
      guard error.isMissing else { throw error }
      throw StoreError.gone(path)
    }
  }
}

extension Entry {
  /// Returns the entry of a file that was read completely, with its expiry.
  fileprivate func timed(by expiry: FolderExpiry?) -> Entry {
    expiry?.timed(self) { nil } ?? self
  }
}

extension FolderEntrySource: DryRunService {
  func entries(after change: StoreChange) async throws -> [Entry] {
    try await write { writer in
      switch change {
      case .changes(let query): try writer.tryOut(query)
      case .renames(let query): try writer.checked(query.renames.inOrder())
      }
    }.getCancelling()
  }
}

extension FolderEntrySource: ExpiryService, SeparateExpiries {
  var separate: (any SeparateExpiries)? { if case .kept? = expiry { self } else { nil } }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await future(pages) { [expiry] root, _ in
      try Self.timed(changes, scan, root, expiry)
    }.getCancelling()
  }

  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await write { [expiry] writer in
      let entries = try Self.timed(changes, scan, writer.root, expiry)
      try expiry?.keep(entries)
      return entries
    }.getCancelling()
  }

  private static func timed(
    _ changes: [ExpiryChange], _ scan: Scan?, _ root: FolderDescriptor, _ expiry: FolderExpiry?
  ) throws -> [Entry] {
    guard let expiry else {
      throw StoreError.noFileExpiry
    }
    let reader = FolderReader(root: root)
    return try changes.enumerated().map { place, change in
      try scan?.reportRead(place)
      let current = try reader.read(change.key)?.entry(change.key).timed(by: expiry)
      return try expiry.timed(try change.checked(current), expiring: change.expires)
    }
  }
}
