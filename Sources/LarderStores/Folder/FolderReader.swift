import LarderFiles
import Foundation
import LarderModel

/// A reader of files inside a folder.
struct FolderReader {
  /// A file that was read completely, with its metadata at that time.
  struct File: Sendable {
    let bytes: [UInt8]
    let status: FileStatus
    var flags: FileFlags?
    var attributes: [FolderAttributes.Pair] = []
    /// The properties that could not be restored after a deletion, as a clause, or nil if all
    /// could.
    var loss: String?

    /// The metadata that is restored with the file.
    var form: FileForm { FileForm(of: status, flags, attributes) }

    /// Returns the entry for the file.
    func entry(_ key: EntryKey) -> Entry {
      var entry = Entry(
        key: key, value: FolderReader.value(bytes), size: bytes.count, modified: status.modified,
        form: form.text)
      entry.loss = loss
      return entry
    }
  }

  /// The size of the largest file to read, in bytes.
  static let limit = 256 << 20
  private static let attempts = 3
  let root: FolderDescriptor

  /// Returns the file for a key, or nil if it does not exist.
  ///
  /// - Throws: ``StoreError`` if the file is not regular or is too large, and ``FileFailure``.
  func read(_ key: EntryKey) throws -> File? {
    try find(key) { directory, path, _ in try readStable(directory, path, key) }
  }

  /// Returns the metadata of the file for a key, or nil if it does not exist.
  ///
  /// - Throws: ``StoreError`` if the file is not regular, and ``FileFailure``.
  func status(_ key: EntryKey) throws -> FileStatus? {
    try find(key) { _, _, status in status }
  }

  /// Calls a closure with a regular file, or returns nil if there is none.
  private func find<Result>(
    _ key: EntryKey, _ body: (FolderDescriptor, FolderPath, FileStatus) throws -> Result
  ) throws -> Result? {
    let path = try FolderPath(key)
    do {
      let directory = try root.directory(path.parents)
      guard let status = try directory.status(of: path.name) else { return nil }
      try Self.checkRegular(status, key)
      return try body(directory, path, status)
    } catch let failure as FileFailure where failure.isMissing {
      return nil
    }
  }

  /// Returns the reason why the file for a key must not be changed, as a clause, or nil.
  func obstacle(_ key: EntryKey) throws -> String? {
    try root.directory(FolderPath(key).parents).databaseName.map(WriteObstacle.ofFiles)
  }

  /// Reads a file, and tries again if it changes in the process.
  private func readStable(
    _ directory: FolderDescriptor, _ path: FolderPath, _ key: EntryKey
  ) throws -> File {
    for _ in 0..<Self.attempts {
      let file = try directory.openFile(path.name)
      guard let before = file.status else { throw FileFailure(errno) }
      try Self.checkRegular(before, key)
      guard before.size <= Self.limit else {
        throw StoreError.largeFile(key, size: before.size, maximum: Self.limit)
      }
      let bytes = try Self.contents(file, size: before.size)
      if file.status == before, bytes.count == before.size {
        return try Self.file(bytes, before, file, in: directory)
      }
    }
    throw StoreError.busyFile(key)
  }

  /// Returns a file with its contents, metadata and attributes.
  static func file(
    _ bytes: [UInt8], _ status: FileStatus, _ file: FolderDescriptor, in directory: FolderDescriptor
  ) throws(FileFailure) -> File {
    let attributes = FolderAttributes(file: file)
    let names = try attributes.names()
    let carried = FileForm.names(of: names)
    var pairs: [FolderAttributes.Pair] = []
    for name in carried { pairs.append(.init(name: name, value: try attributes.value(of: name))) }
    return File(
      bytes: bytes, status: status, flags: FileFlags(of: file), attributes: pairs,
      loss: LostFileProperties(
        status: status, names: names, size: pairs.reduce(0) { $0 + $1.value.count }
      )
      .clause(in: directory))
  }

  /// Returns whether a name refers to a file that was read, with unchanged contents, or nil if it
  /// refers to no file.
  ///
  /// The contents are compared too: a second write within one tick of the clock would leave the
  /// times unchanged.
  static func holds(
    _ name: [UInt8], in directory: FolderDescriptor, _ read: File
  ) throws(FileFailure) -> Bool? {
    do throws(FileFailure) {
      guard let status = try directory.status(of: name) else { return nil }
      guard status.isUnchanged(since: read.status) else { return false }
      return try contents(try directory.openFile(name), size: read.bytes.count) == read.bytes
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
  }

  /// Returns up to `size` bytes, and one more if the file has grown.
  private static func contents(
    _ file: FolderDescriptor, size: Int
  ) throws(FileFailure) -> [UInt8] {
    var failure: FileFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, filled in
      while filled <= size {
        let count = pread(
          file.number, buffer.baseAddress?.advanced(by: filled), size + 1 - filled, off_t(filled))
        if count < 0 && errno == EINTR { continue }
        if count < 0 { failure = FileFailure(errno) }
        guard count > 0 else { return }
        filled += count
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Returns a string if the bytes are UTF-8 without a zero byte, and data otherwise.
  static func value(_ bytes: [UInt8]) -> StoredValue {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      return .data(bytes)
    }
    return .text(text)
  }

  /// Returns a value as it would be read back from a file.
  static func asRead(_ value: StoredValue) -> StoredValue {
    value.fileBytes.map(self.value) ?? value
  }

  static func checkRegular(_ status: FileStatus, _ key: EntryKey) throws(StoreError) {
    guard status.isRegular else { throw .notRegular(key, status) }
  }
}

extension StoredValue {
  /// The bytes of a file with this value, or nil for a value that files cannot represent.
  var fileBytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .malformedText(let bytes), .data(let bytes): bytes
    default: nil
    }
  }
}
