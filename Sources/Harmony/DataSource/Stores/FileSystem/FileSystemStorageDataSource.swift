public import Foundation

/// A source that stores data in files, one for each key, in its own directory.
///
/// - A file is written under a temporary name, synchronized and then renamed. Therefore, values
///   that a future reports as stored survive the end of the process, including `kill -9`, and a
///   power failure, and each key has either its old or its new content, never a mixture. Leftovers
///   of a killed process are removed by the next one that writes.
/// - Any number of sources, threads and processes may use a directory at the same time. The last of
///   several writes to one key wins.
/// - A key has a value or a list. A value is the plain content of its file, so that other programs
///   can read it, unless the name does not identify the key or the value could be mistaken for a
///   list; see ``FileNameEncoding``.
/// - Keys can be listed with every file name encoding. Other files in the directory, and the
///   directory itself, stay untouched even when everything is deleted.
///
/// ```swift
/// let source = FileSystemStorageDataSource(fileManager: .default, directory: directory)
/// try await source.put(Data("hello".utf8), forId: "greeting").get()
/// ```
///
/// Each call runs on the caller's thread, and its future is already complete when it is returned.
/// Errors of the system are ``CoreError/Failed``, a damaged file is
/// ``CoreError/DataSerialization``, and both contain the path of the file. A file that cannot be
/// read also fails reads of everything: nothing is left out silently. Reads and deletions fail as
/// well if it is unknown whether a file exists, for example in a directory without search
/// permission. Anything that is not a regular file, such as a directory, is ignored.
///
/// - Note: Upstream names files by the SHA-256 of the key, which does not reveal what is stored;
///   here this is an option. Upstream's lists, which are archives of `NSArray`, cannot be read.
public final class FileSystemStorageDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  /// The type of the values.
  public typealias T = Data

  /// The encoding of a key as the name of a file.
  public enum FileNameEncoding: Sendable {
    /// The key itself followed by `.value`, with invalid characters percent-encoded.
    ///
    /// Every string is a valid key. A key that is too long for a name is cut and followed by its
    /// digest.
    case readable

    /// The key itself; a key that is not a valid file name is a ``CoreError/IllegalArgument``.
    ///
    /// Every file in the directory is then an entry.
    case none

    /// The SHA-256 digest of the key; the file also contains the key.
    case sha256

    /// The MD5 digest of the key; the file also contains the key.
    case md5

    /// The result of a closure for the key; the file also contains the key.
    ///
    /// The closure must return the same name in every process. A key that has the name of another
    /// key is a ``CoreError/IllegalArgument``, and so is one with an invalid file name.
    case custom(@Sendable (String) -> String)
  }

  /// The directory of the files.
  public let directory: URL

  /// The encoding of file names.
  public let fileNameEncoding: FileNameEncoding

  private let place: FileDirectory

  /// The files, or an error if the URL of the directory is not valid.
  private var files: FileDirectory {
    get throws {
      guard directory.isFileURL else {
        throw CoreError.IllegalArgument.notFileURL(directory.scheme)
      }
      return place
    }
  }

  /// Creates a source in a directory, which is created by the first write.
  ///
  /// - Parameters:
  ///   - fileManager: Not used: files are written with system calls.
  ///   - directory: The directory of the files; if it is not a file URL, every call fails with
  ///     ``CoreError/IllegalArgument``.
  ///   - writingOptions: With `withoutOverwriting`, a key cannot be written twice. Writes are
  ///     always atomic; other options have no effect.
  ///   - fileNameEncoding: The encoding of file names.
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

  /// Returns the file in which a cache over this source saves expiries.
  ///
  /// It is next to the directory and has its name with the extension `.harmony-times`. It
  /// identifies entries by the names of their files.
  ///
  /// - Returns: The file, which is created when an expiry is first saved.
  public func cacheTimes() -> CacheTimesFile {
    let names = FileNames(encoding: fileNameEncoding)
    return CacheTimesFile(path: CacheTimesFile.path(besideDirectory: directory.path)) {
      try names.name(of: $0)
    }
  }

  /// Creates a source in a directory in the user's documents.
  ///
  /// - Parameters:
  ///   - fileManager: Locates the documents; the result is nil if it cannot.
  ///   - relativePath: The path of the directory, relative to the documents.
  ///   - writingOptions: With `withoutOverwriting`, a key cannot be written twice.
  ///   - fileNameEncoding: The encoding of file names.
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

  /// Reads the value of the query's key.
  ///
  /// - Parameter query: A ``KeyQuery``.
  /// - Returns: A future of the value. It fails with ``CoreError/NotFound`` if there is no value,
  ///   or a list instead, and with ``CoreError/QueryNotSupported`` if the query has no key.
  public func get(_ query: any Query) -> Future<Data> {
    guard let key = query.entryKey else { return Future(query.notSupported(.get)) }
    return Future(value: { try value(of: key) })
  }

  /// Reads a list.
  ///
  /// - Parameter query: ``AllObjectsQuery`` for everything or another ``KeySelectionQuery`` for a
  ///   part, in the order of the keys and with lists flattened; a ``KeysQuery`` for several single
  ///   values; another ``KeyQuery`` for the list stored under its key.
  /// - Returns: A future of the values. It fails with ``CoreError/NotFound`` if a key has no
  ///   content of that shape, and with ``CoreError/QueryNotSupported`` if the query has no key.
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

  /// Stores a value under the query's key, replacing any previous value.
  ///
  /// - Parameters:
  ///   - value: The value; nil is a ``CoreError/IllegalArgument``.
  ///   - query: A ``KeyQuery``.
  /// - Returns: A future of the value, or of the error.
  @discardableResult
  public func put(_ value: Data? = nil, in query: any Query) -> Future<Data> {
    guard let key = query.entryKey else { return Future(query.notSupported(.put)) }
    guard let value else { return Future(CoreError.IllegalArgument.nilValue) }
    return Future(value: {
      try files.store([(key, .value(value))])
      return value
    })
  }

  /// Stores a list under the query's key, or each value under its own key.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A ``KeysQuery`` with one key for each value, otherwise the call fails with
  ///     ``CoreError/IllegalArgument``; or another ``KeyQuery`` for the list as a whole. Several
  ///     keys are written one after another: if the system fails, some of them may be written. With
  ///     `withoutOverwriting`, nothing is written if one of the files already exists.
  /// - Returns: A future of the values, or of the error.
  @discardableResult
  public func putAll(_ array: [Data], in query: any Query) -> Future<[Data]> {
    Future(value: {
      if let query = query as? any KeysQuery {
        let keys = query.keys
        guard keys.count == array.count else {
          throw CoreError.IllegalArgument.valueCount
        }
        try files.store(zip(keys, array).map { ($0, .value($1)) })
        return array
      }
      guard let key = query.entryKey else { throw query.notSupported(.putAll) }
      try files.store([(key, .list(array))])
      return array
    })
  }

  /// Removes the value or list of the query's key; succeeds if there is none.
  ///
  /// - Parameter query: ``AllObjectsQuery`` to clear the source, another ``KeySelectionQuery`` for
  ///   a part of it, a ``KeysQuery`` for several keys, another ``KeyQuery`` for one.
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
  /// Lists the keys that have a value or a list.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: files.keys()) })
  }

  /// Counts the keys that have a value or a list.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: { try query.keySelection(for: "countKeys").count(of: files.keys()) })
  }
}
