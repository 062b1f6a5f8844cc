import Dispatch
import Foundation
import Harmony
import LarderCore

/// The files below a folder as entries, under their relative paths.
///
/// Pages, scans and writes each run on a queue of their own; futures complete there.
final class FolderEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
  private let path: String
  private let isReadOnly: Bool
  private let patience: Duration
  private let remarks: Remarks
  private let cache = FolderListingCache()
  private let leftovers = FolderLeftovers()
  private let pages = DispatchQueue(label: "larder.folder.page")
  private let scans = DispatchQueue(label: "larder.folder.scan")
  private let writes = DispatchQueue(label: "larder.folder.write")

  init(path: String, isReadOnly: Bool, patience: Duration, remarks: Remarks) {
    self.path = path
    self.isReadOnly = isReadOnly
    self.patience = patience
    self.remarks = remarks
  }

  func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? WatchQuery { return query.answer(when: [.folder(path)]) }
    if let query = query as? PresenceQuery {
      return future(pages) { root, _ in
        let key = query.entryKey
        guard let status = try FolderReader(root: root).status(key) else {
          throw CoreError.NotFound("no entry has the key \(key.spoken)")
        }
        return Entry(key: key, size: status.size, modified: status.modified)
      }
    }
    switch ReadRequest(query) {
    case .one(let key): return future(pages) { root, _ in try Self.read(key, root) }
    case .count(let query):
      guard query.precision == .exact else { return query.unsupported() }
      return future(scans) { [cache] root, flag in
        try FolderScan(root: root, cache: cache, flag: flag).count(query)
      }
    default: return query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? EntriesQuery {
      return future(pages) { root, _ in
        let reader = FolderReader(root: root)
        return try query.answer { try reader.read($0)?.entry($0) }
      }
    }
    switch ReadRequest(query) {
    case .page(let query):
      let isScan = query.filter != nil || query.inKeyOrder == nil
      return future(isScan ? scans : pages) { [cache] root, flag in
        try query.checkOrder(.modified)
        return try FolderScan(root: root, cache: cache, flag: flag).page(query)
      }
    case .all: return getAll(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys):
      return future(pages) { root, _ in try keys.map { try Self.read($0, root) } }
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? RenameQuery { return rename([query]).map { try $0.only() } }
    if let query = query as? ImportQuery {
      return write { writer in CountQuery.answer(try writer.take(query)) }
    }
    guard let request = WriteRequest(query) else { return query.unsupported() }
    let form = value?.form
    return Future(future: {
      let value = try Entry.valueToWrite(value)
      return write { writer in try writer.put(value, form: form, request) }
    })
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ChangesQuery {
      return write { writer in try writer.make(query) }
    }
    if let query = query as? RenamesQuery { return rename(query.renames, query.scan) }
    return Future(future: {
      guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
      let values = try array.valuesToWrite(for: keys)
      return write { writer in
        try keys.indices.map { place in
          try writer.afterOthers(place) {
            try writer.put(
              values[place], form: array[place].form, WriteRequest(keys[place], .anything))
          }
        }
      }
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    if let query = query as? SecondNameQuery { return write { try $0.delete(query) } }
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return write { [cache] writer in
      switch request {
      case .one(let key, let condition): try writer.delete(key, condition)
      case .several(let keys):
        for (count, key) in keys.enumerated() {
          _ = try writer.afterOthers(count, "deleted", key) { try writer.delete(key) }
        }
      case .prefix(let prefix, let scan): try writer.delete(under: prefix, cache, scan)
      case .all: try writer.delete(under: "", cache, nil)
      }
    }
  }

  private func rename(_ renames: [RenameQuery], _ scan: Scan? = nil) -> Future<[Entry]> {
    write { writer in try writer.rename(renames, scan) }
  }

  private static func read(_ key: EntryKey, _ root: FolderDescriptor) throws -> Entry {
    guard let file = try FolderReader(root: root).read(key) else {
      throw CoreError.NotFound("no file has the path \(key.spoken)")
    }
    return file.entry(key)
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (FolderWriter) throws -> Value
  ) -> Future<Value> {
    if isReadOnly {
      return Future(StoreError.readOnly("\(path) was opened read-only; nothing was written"))
    }
    return future(writes, .writing) { [leftovers, path, patience, remarks] root, _ in
      let writer = FolderWriter(
        root, leftovers, path: path, patience: patience, remarks: remarks)
      defer { writer.tellLosses() }
      let result = try body(writer)
      try writer.finish()
      return result
    }
  }

  private func future<Value: Sendable>(
    _ queue: DispatchQueue, _ attempt: FileSentences.Attempt = .reading,
    _ body: @escaping @Sendable (FolderDescriptor, CancelFlag) throws -> Value
  ) -> Future<Value> {
    Future { resolver in
      let flag = CancelFlag()
      resolver.onCancel { flag.cancel() }
      queue.async { [path] in
        do {
          try flag.check()
          resolver.set(try body(try Self.root(path), flag))
        } catch let failure as FileFailure {
          resolver.set(FileSentences(path, isFolder: true).storeError(failure, attempt))
        } catch {
          resolver.set(error)
        }
      }
    }
  }

  /// The folder itself.
  private static func root(_ path: String) throws -> FolderDescriptor {
    do throws(FileFailure) {
      return try FolderDescriptor(root: path)
    } catch {
      guard error.isMissing else { throw error }
      throw StoreError.cannotOpen("\(path) is not there any more")
    }
  }
}
