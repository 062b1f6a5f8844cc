import Foundation

/// File functions that use system calls, because Foundation's do not report lost writes.
enum Files {
  /// Returns the error of a system call that has just failed.
  ///
  /// It contains the path of the file, which is needed to fix the problem, and thus the key if the
  /// file is named by it, but never the stored values.
  ///
  /// - Parameters:
  ///   - action: The action that failed, such as "read".
  ///   - path: The path of the file.
  ///   - code: The error number; by default that of the last failure.
  /// - Returns: The error.
  static func failure(_ action: String, _ path: String, code: Int32 = errno) -> CoreError.Failed {
    CoreError.Failed("Could not \(action) \(PathName(path)): \(String(cString: strerror(code)))")
  }

  /// Repeats a system call while signals interrupt it.
  static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Synchronizes a directory, so that its entries survive a power failure.
  static func synchronize(directory: String) throws {
    let file = try OpenFile(directory, O_RDONLY | O_DIRECTORY, "open the directory")
    guard retrying({ fsync(file.descriptor) }) == 0 else {
      throw failure("save the directory", directory)
    }
  }

  /// Creates a directory and its missing parents, so that they survive a power failure.
  static func createDirectory(_ path: String) throws {
    if mkdir(path, 0o700) == 0 { return try synchronize(directory: path.folderPath) }
    switch errno {
    case EEXIST: return
    case ENOENT where path.folderPath != path:
      try createDirectory(path.folderPath)
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw failure("create the directory", path)
      }
      try synchronize(directory: path.folderPath)
    default: throw failure("create the directory", path)
    }
  }

  /// Returns the names in a directory except `.` and `..`; nil if the directory does not exist.
  static func names(in directory: String) throws -> [String]? {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return nil }
      throw failure("read the directory", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw failure("read the directory", directory) }
        return names
      }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      // A name that is not valid UTF-8 does not belong to a key.
      guard let name = String(validatingCString: bytes), name != ".", name != ".." else { continue }
      names.append(name)
    }
  }

  /// Returns the metadata of the file at a path; nil if it certainly does not exist.
  ///
  /// - Throws: ``CoreError/Failed`` if that is unknown, for example in a directory without search
  ///   permission.
  static func stamp(of path: String) throws -> FileStamp? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStamp(status) }
    if errno == ENOENT { return nil }
    if errno == ENOTDIR { throw failure("read the directory", path.folderPath) }
    throw failure("look at", path)
  }

  /// Removes a file and returns whether it existed.
  @discardableResult
  static func remove(_ path: String) throws -> Bool {
    if unlink(path) == 0 { return true }
    if errno == ENOENT { return false }
    throw failure("remove", path)
  }
}
