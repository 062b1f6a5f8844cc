public import Foundation

/// Stores data in files, one for each key, in a directory of its own.
///
/// - A file is written under another name, saved and then renamed, so what a future has reported
///   as stored survives the end of the process, also by `kill -9`, and a loss of power; and every
///   key holds its old or its new content, never a part. What a killed process leaves behind is
///   removed by the next one that writes.
/// - Any number of sources, threads and processes may use a directory at the same time. Of several
///   writes to one key the last one stays.
/// - A key holds a value or a list. A value is the whole content of its file, so that other programs
///   can read it, except where the name does not tell the key or the value could be taken for a
///   list; see ``FileNameEncoding``.
/// - Keys can be listed, whatever the names of the files. Files of others in the directory are left
///   alone, also when everything is deleted, and so is the directory.
///
/// ```swift
/// let source = FileSystemStorageDataSource(fileManager: .default, directory: directory)
/// try await source.put(Data("hello".utf8), forId: "greeting").get()
/// ```
///
/// Each call does its work on the thread of the caller, and the future is complete when it is
/// returned. Errors of the system are ``CoreError/Failed``, a damaged file is
/// ``CoreError/DataSerialization``, and both name the file. One that cannot be read fails also what
/// reads all: nothing is left out silently. Where it cannot be known whether a file is there, as in
/// a directory that may not be entered, reading and deleting fail too. What is no file, such as a
/// directory of the same name, is no entry.
///
/// - Note: Upstream names files by the SHA-256 of the key, which tells nobody what is stored; here
///   that has to be asked for. Its lists, which are archives of `NSArray`, are not read.
public final class FileSystemStorageDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  /// The type of the values.
  public typealias T = Data

  /// How the name of a file is made from a key.
  public enum FileNameEncoding: Sendable {
    /// The key itself and `.value`, with `%` and two digits for what a name cannot hold.
    ///
    /// Every text is a key. A key that is too long for a name keeps its beginning, followed by its
    /// digest.
    case readable

    /// The key itself; one that is no name of a file is an ``CoreError/IllegalArgument``.
    ///
    /// Every file in the directory is an entry then.
    case none

    /// The SHA-256 digest of the key; the file holds the key too.
    case sha256

    /// The MD5 digest of the key; the file holds the key too.
    case md5

    /// What a closure makes of the key; the file holds the key too.
    ///
    /// It must make the same name in every process. A key whose name is that of another key is
    /// an ``CoreError/IllegalArgument``, and so is one that gives no name of a file.
    case custom(@Sendable (String) -> String)
  }

  /// Where the files are.
  public let directory: URL

  /// How the names of the files are made.
  public let fileNameEncoding: FileNameEncoding

  private let place: FileDirectory

  /// The files, or why there can be none.
  private var files: FileDirectory {
    get throws {
      guard directory.isFileURL else {
        throw CoreError.IllegalArgument(
          "Files are stored below a file URL, not \(directory.scheme ?? "a relative URL")")
      }
      return place
    }
  }

  /// Creates a source in a directory, which is created with the first write.
  ///
  /// - Parameters:
  ///   - fileManager: Not used: files are written by the system's own calls.
  ///   - directory: Where the files are; if it is not a file URL every call fails with
  ///     ``CoreError/IllegalArgument``.
  ///   - writingOptions: With `withoutOverwriting` a key cannot be written twice. Writing is
  ///     always atomic; other options have no effect.
  ///   - fileNameEncoding: How the names of the files are made.
  public init(
    fileManager: FileManager, directory: URL, writingOptions: Data.WritingOptions = [],
    fileNameEncoding: FileNameEncoding = .readable
  ) {
    self.directory = directory
    self.fileNameEncoding = fileNameEncoding
    place = FileDirectory(
      path: directory.path, names: FileNames(encoding: fileNameEncoding),
      replaces: !writingOptions.contains(.withoutOverwriting))
  }

  /// Where a cache over this source keeps its times: in a file beside the directory, with
  /// `.harmony-times` after its name, by the names of the files.
  ///
  /// - Returns: The file, which is made by the first time that is kept.
  public func cacheTimes() -> CacheTimesFile {
    let names = FileNames(encoding: fileNameEncoding)
    return CacheTimesFile(path: CacheTimesFile.path(besideDirectory: directory.path)) {
      try names.name(of: $0)
    }
  }

  /// Creates a source in a directory below the user's documents.
  ///
  /// - Parameters:
  ///   - fileManager: Tells where the documents are; if it cannot, there is no source.
  ///   - relativePath: The path of the directory in that of the documents.
  ///   - writingOptions: With `withoutOverwriting` a key cannot be written twice.
  ///   - fileNameEncoding: How the names of the files are made.
  public convenience init?(
    fileManager: FileManager, relativePath: String, writingOptions: Data.WritingOptions = [],
    fileNameEncoding: FileNameEncoding = .readable
  ) {
    guard
      let documents = fileManager.urls(for: .documentDirectory, in: .userDomainMask).first
    else { return nil }
    self.init(
      fileManager: fileManager, directory: documents.appendingPathComponent(relativePath),
      writingOptions: writingOptions, fileNameEncoding: fileNameEncoding)
  }

  /// Reads the value stored under the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if there is no value, also if
  ///   there is a list, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<Data> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future(value: { try value(of: key) })
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``AllObjectsQuery`` for everything, or another ``KeySelectionQuery`` for
  ///   a part, lists flattened, in the order of the keys; a ``KeysQuery`` for several single
  ///   values; another ``KeyQuery`` for the list stored under its key.
  /// - Returns: A future that fails with ``CoreError/NotFound`` if a key holds nothing of that
  ///   shape, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func getAll(_ query: any Query) -> Future<[Data]> {
    Future(value: {
      switch query {
      case let query as any KeySelectionQuery:
        return try query.selection.keys(of: files.keys()).flatMap { key in
          switch try files.content(of: key) {
          case .value(let value): [value]
          case .list(let values): values
          // Removed since the keys were listed.
          case nil: [Data]()
          }
        }
      case let query as any KeysQuery: return try query.keys.map(value(of:))
      default:
        guard let key = query.entryKey else { throw query.notSupported(.getAll) }
        switch try files.content(of: key) {
        case .list(let values): return values
        case .value: throw CoreError.NotFound.valueForList
        case nil: throw CoreError.NotFound()
        }
      }
    })
  }

  /// Stores a value under the query's key, in place of what was there.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``CoreError/IllegalArgument``.
  ///   - query: A ``KeyQuery``.
  /// - Returns: A future of the value, or of the error.
  @discardableResult
  public func put(_ value: Data? = nil, in query: any Query) -> Future<Data> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument("Value cannot be nil")) }
    return Future(value: {
      try files.store([(key, .value(value))])
      return value
    })
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``KeysQuery`` with one key for each value, else there is a
  ///     ``CoreError/IllegalArgument``; or another ``KeyQuery`` for the list as a whole. Several
  ///     keys are written one after the other: if the system fails, some may be written. With
  ///     `withoutOverwriting` nothing is if one of the files is there at first.
  /// - Returns: A future of the values, or of the error.
  @discardableResult
  public func putAll(_ array: [Data], in query: any Query) -> Future<[Data]> {
    Future(value: {
      if let query = query as? any KeysQuery {
        let keys = query.keys
        guard keys.count == array.count else {
          throw CoreError.IllegalArgument("There must be as many values as identifiers")
        }
        try files.store(zip(keys, array).map { ($0, .value($1)) })
        return array
      }
      guard let key = query.entryKey else { throw query.notSupported(.putAll) }
      try files.store([(key, .list(array))])
      return array
    })
  }

  /// Removes the value or list under the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``AllObjectsQuery`` to clear the source, another ``KeySelectionQuery``
  ///   for a part of it, a ``KeysQuery`` for several keys, another ``KeyQuery`` for one.
  /// - Returns: A future that fails with ``CoreError/QueryNotSupported`` if the query has no key.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    Future(value: {
      switch query {
      case is AllObjectsQuery: try files.removeAll()
      case let query as any KeySelectionQuery:
        try files.remove(query.selection.keys(of: files.keys()))
      case let query as any KeysQuery: try files.remove(query.keys)
      default:
        guard let key = query.entryKey else { throw query.notSupported(.delete) }
        try files.remove([key])
      }
    })
  }

  private func value(of key: String) throws -> Data {
    switch try files.content(of: key) {
    case .value(let value): return value
    case .list: throw CoreError.NotFound.listForValue
    case nil: throw CoreError.NotFound()
    }
  }
}

extension FileSystemStorageDataSource: KeyListingDataSource {
  /// Lists the keys that hold a value or a list.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: files.keys()) })
  }

  /// Counts the keys that hold a value or a list.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: { try query.keySelection(for: "countKeys").count(of: files.keys()) })
  }
}
