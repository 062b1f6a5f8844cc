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
      throw .notFile(key)
    }
    for name in names {
      guard !name.isEmpty, name != Self.here, name != Self.up, !name.contains(0)
      else { throw .outsideFolder(key) }
    }
    self.names = names
  }

  /// Returns the bytes of a key that is a string, whether or not it is a valid path.
  ///
  /// - Throws: ``StoreError`` for a key that is not a string.
  static func bytes(of key: EntryKey) throws(StoreError) -> [UInt8] {
    guard let bytes = key.textBytes else {
      throw .notPath(key)
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
      throw .longName(key, maximum: Self.maximumLength)
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
