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
  private let cache = FolderListingCache()
  private let leftovers = FolderLeftovers()
  private let pages = DispatchQueue(label: "larder.folder.page")
  private let scans = DispatchQueue(label: "larder.folder.scan")
  private let writes = DispatchQueue(label: "larder.folder.write")

  init(path: String, isReadOnly: Bool) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? WatchQuery { return query.answer(when: [.folder(path)]) }
    switch ReadRequest(query) {
    case .one(let key): return future(pages) { root, _ in try Self.read(key, root) }
    case .count(let query):
      guard query.precision == .exact else { return query.unsupported() }
      return future(scans) { [cache] root, flag in
        CountQuery.answer(try FolderScan(root: root, cache: cache, flag: flag).count(query))
      }
    default: return query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    switch ReadRequest(query) {
    case .page(let query):
      return future(query.filter == nil ? pages : scans) { [cache] root, flag in
        try FolderScan(root: root, cache: cache, flag: flag).page(query)
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
    if let query = query as? RenamesQuery { return rename(query.renames) }
    return Future(future: {
      guard let keys = EntryKey.keysToWrite(array, query) else { return query.unsupported() }
      let values = try array.valuesToWrite(for: keys)
      return write { writer in
        try zip(keys, zip(values, array)).map { key, entry in
          try writer.put(entry.0, form: entry.1.form, WriteRequest(key, .anything))
        }
      }
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let request = DeleteRequest(query) else { return query.unsupported() }
    return write { [cache] writer in
      switch request {
      case .one(let key, let condition): try writer.delete(key, condition)
      case .several(let keys): for key in keys { try writer.delete(key) }
      case .prefix(let prefix, let scan): try writer.delete(under: prefix, cache, scan)
      case .all: try writer.delete(under: "", cache, nil)
      }
    }
  }

  private func rename(_ renames: [RenameQuery]) -> Future<[Entry]> {
    write { writer in try writer.rename(renames) }
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
    return future(writes, isWriting: true) { [leftovers] root, _ in
      try body(FolderWriter(root, leftovers))
    }
  }

  private func future<Value: Sendable>(
    _ queue: DispatchQueue, isWriting: Bool = false,
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
          resolver.set(Self.storeError(failure, path, isWriting: isWriting))
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

  /// What a failed system call means to a person.
  private static func storeError(
    _ failure: FileFailure, _ path: String, isWriting: Bool
  ) -> StoreError {
    switch failure.number {
    case EACCES, EPERM, EROFS:
      isWriting
        ? .readOnly("the permissions inside \(path) do not allow writing: \(failure.message)")
        : .failed("the permissions inside \(path) do not allow reading: \(failure.message)")
    case ENOSPC, EDQUOT: .failed("the disk that holds \(path) is full; nothing was written")
    case ENOENT, ENOTDIR, ELOOP:
      .failed("a folder inside \(path) was removed by someone else meanwhile; try again")
    default: .failed("\(path) could not be read or written: \(failure.message)")
    }
  }
}
