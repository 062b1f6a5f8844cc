import LarderModel

/// The path of a file below a folder, which cannot lead out of it.
struct FolderPath: Sendable, Hashable {
  /// The names from the folder down to the file.
  let names: [[UInt8]]

  /// The path of some names, each of which is one.
  init(names: [[UInt8]]) {
    self.names = names
  }

  /// The path that a key stands for.
  ///
  /// - Throws: ``StoreError`` for keys that are no text, absolute, or go up.
  init(_ key: EntryKey) throws(StoreError) {
    let bytes = try Self.bytes(of: key)
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map(Array.init)
    if names.count > 1, names.last?.isEmpty == true {
      throw .failed("\(key.spoken) is a folder, and no file")
    }
    for name in names {
      guard !name.isEmpty, name != Self.here, name != Self.up, !name.contains(0)
      else { throw .failed("the key \(key.spoken) is not a path of a file inside the folder") }
    }
    self.names = names
  }

  /// The bytes of a key that may be those of a path, and need not.
  ///
  /// - Throws: ``StoreError`` for keys that are no text.
  static func bytes(of key: EntryKey) throws(StoreError) -> [UInt8] {
    guard let bytes = key.textBytes else {
      throw .notSupported("the key \(key.spoken) is not a path")
    }
    return bytes
  }

  /// The path that a key stands for, to which something is about to be written.
  ///
  /// - Throws: ``StoreError`` also where larder would take it for a file of its own, or a name is
  ///   longer than file systems take.
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

  /// How many bytes a name has at most on the file systems of Linux and of Apple.
  private static let maximumLength = 255
  /// The name of a directory inside itself.
  static let here = Array(".".utf8)
  /// The name of a directory's parent.
  static let up = Array("..".utf8)

  /// The name in its own directory.
  var name: [UInt8] { names.last ?? [] }

  /// The names of the directories that lead to it.
  var parents: ArraySlice<[UInt8]> { names.dropLast() }
}

extension StoreError {
  /// That a file would be hidden under its name, and removed.
  static func reservedName(_ key: EntryKey) -> StoreError {
    .failed(
      "\(key.spoken) is a name that larder gives to files while it writes them, and that it hides "
        + "and removes: take another; nothing was written")
  }
}
