import LarderFiles
import Foundation
import LarderModel

/// The names of files that are being written, replaced or deleted.
///
/// A name identifies the file that has it: the file created under it, or the one that gets the name
/// in an exchange. If a process is killed and the name is then found on any other file, that file
/// belongs to another program or the user and must not be removed. Only an empty file may have a
/// name without that information.
struct TemporaryName {
  private static let start = Array(".larder-".utf8)
  private static let end = Array(".tmp".utf8)

  let bytes: [UInt8]
  /// The numbers that identify a file: none, the inode of the file created under the name, or that
  /// and the ``identity(of:)`` of the file that gets the name when it is replaced or deleted.
  private let numbers: [UInt64]

  /// Returns what a name contains about a file as it was read.
  private static func identity(of status: FileStatus) -> [UInt64] {
    let (size, time) = (status.size, status.contentTime)
    return [status.identity.inode]
      + [size, time.seconds, time.nanoseconds].map { UInt64(bitPattern: Int64($0)) }
  }

  /// Creates a unique name for a file that is about to be created.
  init() {
    self.init(numbers: [])
  }

  /// Creates a unique name for an existing file.
  init(of made: FileStatus) {
    self.init(numbers: [made.identity.inode])
  }

  /// Creates a unique name for an exchange.
  ///
  /// - Parameters:
  ///   - taken: The file that will get the name, as it was read.
  ///   - made: The file that has the name until then, or nil if there is none.
  init(taking taken: FileStatus, inExchangeFor made: FileStatus? = nil) {
    self.init(numbers: [made?.identity.inode ?? 0] + Self.identity(of: taken))
  }

  /// Returns a name for a file to preserve: it never identifies a file as temporary.
  static func lasting() -> TemporaryName {
    // No file has inode 0.
    TemporaryName(numbers: [0, 0, 0, 0, 0])
  }

  private init(numbers: [UInt64]) {
    self.numbers = numbers
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    var text = String(repeating: "0", count: 16 - digits.count) + digits
    for number in numbers { text += "-" + String(number, radix: 16) }
    bytes = Self.start + Array(text.utf8) + Self.end
  }

  /// Parses a name, or returns nil if it is not a temporary one.
  init?(_ name: [UInt8]) {
    guard name.starts(with: Self.start), name.suffix(Self.end.count) == Self.end[...],
      name.count > Self.start.count + Self.end.count
    else { return nil }
    let words = name[Self.start.count..<(name.count - Self.end.count)]
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = words.compactMap { word -> UInt64? in
      let isNumber = word.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      return isNumber ? UInt64(String(decoding: word, as: UTF8.self), radix: 16) : nil
    }
    guard words.first?.count == 16, numbers.count == words.count, [1, 2, 6].contains(numbers.count)
    else { return nil }
    bytes = name
    self.numbers = Array(numbers.dropFirst())
  }

  /// Whether the name does not identify a file; files with such names cannot be written.
  var isReserved: Bool { numbers.isEmpty }

  /// Returns whether a file with the name can be removed without losing data.
  func isSpare(_ status: FileStatus) -> Bool {
    if isReserved { return status.isRegular && status.size == 0 }
    return status.identity.inode == numbers.first
      || numbers.dropFirst().elementsEqual(Self.identity(of: status))
  }

  /// Throws an error if a file with the name would be hidden and removed as a temporary one.
  static func check(
    _ name: [UInt8], of status: FileStatus, _ key: EntryKey
  ) throws(StoreError) {
    if TemporaryName(name)?.isSpare(status) == true { throw .reservedName(key) }
  }
}

extension FolderDescriptor {
  /// Creates an empty temporary file in this directory.
  ///
  /// - Parameters:
  ///   - old: The file that will get the temporary name in exchange, or nil if there is none.
  ///   - mode: The maximum permissions, which apply from creation.
  /// - Returns: The file and its name.
  /// - Throws: ``FileFailure``.
  func makeTemporary(
    taking old: FileStatus? = nil, mode: mode_t = 0o600
  ) throws(FileFailure) -> (file: FolderDescriptor, name: [UInt8]) {
    while true {
      let name = TemporaryName().bytes
      let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      // The lock shows that the file is in use until this process ends. Before it is taken, another
      // process may remove the file as a leftover.
      flock(file.number, LOCK_EX)
      guard let made = try status(of: name) else { continue }
      // Rename the file while it is empty: only empty files may have names that do not identify
      // them.
      let lasting =
        old.map { TemporaryName(taking: $0, inExchangeFor: made) } ?? TemporaryName(of: made)
      do throws(FileFailure) {
        try rename(name, to: lasting.bytes)
      } catch {
        try? remove(name)
        throw error
      }
      return (file, lasting.bytes)
    }
  }

  /// Returns whether a name inside is a temporary one whose file can be removed without losing
  /// data.
  func isSpare(_ name: [UInt8]) -> Bool {
    guard let temporary = TemporaryName(name) else { return false }
    guard let status = try? status(of: name) else { return true }
    return temporary.isSpare(status)
  }
}
