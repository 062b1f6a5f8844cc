import Foundation

/// The files of stores, by the calls of the system: Foundation's cannot tell a lost write.
enum Files {
  /// The error of a system call that has just failed.
  ///
  /// It names the file, which somebody has to find to put it right, and so the key, if the file is
  /// called by it; never what is stored.
  ///
  /// - Parameters:
  ///   - action: What was tried, as in "read".
  ///   - path: With which file.
  ///   - code: The number of the system, by default that of the last failure.
  /// - Returns: The error.
  static func failure(_ action: String, _ path: String, code: Int32 = errno) -> CoreError.Failed {
    CoreError.Failed("Could not \(action) \(PathName(path)): \(String(cString: strerror(code)))")
  }

  /// Repeats a call that a signal interrupted.
  static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Makes the names of a directory survive a loss of power.
  static func synchronize(directory: String) throws {
    let file = try OpenFile(directory, O_RDONLY | O_DIRECTORY, "open the directory")
    guard retrying({ fsync(file.descriptor) }) == 0 else {
      throw failure("save the directory", directory)
    }
  }

  /// Creates a directory and those above it, so that they survive a loss of power.
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

  /// The names in a directory but for itself and its parent; nil if there is no such directory.
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
      // A name that is no UTF-8 belongs to no key.
      guard let name = String(validatingCString: bytes), name != ".", name != ".." else { continue }
      names.append(name)
    }
  }

  /// Looks at the file of a path; nil if there is certainly none.
  ///
  /// - Throws: ``CoreError/Failed`` where that cannot be known, as in a directory that may not be
  ///   entered.
  static func stamp(of path: String) throws -> FileStamp? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStamp(status) }
    if errno == ENOENT { return nil }
    if errno == ENOTDIR { throw failure("read the directory", path.folderPath) }
    throw failure("look at", path)
  }

  /// Removes a file, and says whether there was one.
  @discardableResult
  static func remove(_ path: String) throws -> Bool {
    if unlink(path) == 0 { return true }
    if errno == ENOENT { return false }
    throw failure("remove", path)
  }
}
