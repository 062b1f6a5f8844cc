import LarderModel

/// The relative path of a file inside a folder, which cannot lead out of it.
struct FolderPath: Sendable, Hashable {
  /// The names from the folder down to the file.
  let names: [[UInt8]]

  /// Creates a path from valid names.
  init(names: [[UInt8]]) {
    self.names = names
  }

  /// Creates the path for a key.
  ///
  /// - Throws: ``StoreError`` for a key that is not a string, or whose path is absolute or contains
  ///   `..`.
  init(_ key: EntryKey) throws(StoreError) {
    let bytes = try Self.bytes(of: key)
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map(Array.init)
    if names.count > 1, names.last?.isEmpty == true {
      throw .failed("\(key.spoken) is a folder, not a file")
    }
    for name in names {
      guard !name.isEmpty, name != Self.here, name != Self.up, !name.contains(0)
      else { throw .failed("the key \(key.spoken) is not a path of a file inside the folder") }
    }
    self.names = names
  }

  /// Returns the bytes of a key that is a string, whether or not it is a valid path.
  ///
  /// - Throws: ``StoreError`` for a key that is not a string.
  static func bytes(of key: EntryKey) throws(StoreError) -> [UInt8] {
    guard let bytes = key.textBytes else {
      throw .notSupported("the key \(key.spoken) is not a path")
    }
    return bytes
  }

  /// Creates the path for a key that is about to be written.
  ///
  /// - Throws: ``StoreError`` also if the name is reserved for larder's temporary files or is too
  ///   long for common file systems.
  init(toWrite key: EntryKey) throws(StoreError) {
    try self.init(key)
    if names.contains(where: { $0.count > Self.maximumLength }) {
      throw .failed(
        "the key \(key.spoken) has a name of more than \(Self.maximumLength) bytes, which no file can "
          + "have; nothing was written. Take a shorter one")
    }
    if names.contains(where: { TemporaryName($0)?.isReserved == true }) {
      throw .reservedName(key)
    }
  }

  /// The maximum length of a name in bytes on the file systems of Linux and Apple.
  private static let maximumLength = 255
  /// The name of a directory inside itself.
  static let here = Array(".".utf8)
  /// The name of a directory's parent.
  static let up = Array("..".utf8)

  /// The name of the file in its directory.
  var name: [UInt8] { names.last ?? [] }

  /// The names of the directories that contain the file.
  var parents: ArraySlice<[UInt8]> { names.dropLast() }
}

extension StoreError {
  /// Returns the error for a name that larder would hide and remove as a temporary file.
  static func reservedName(_ key: EntryKey) -> StoreError {
    .failed(
      "\(key.spoken) is a name that larder reserves for its temporary files; nothing was written. "
        + "Choose another")
  }
}
