import LarderFiles
import Foundation
import LarderModel

/// The names of files that are being written, or are about to go.
///
/// A name says which file has it: the one that was made under it, or the one that gets it in
/// exchange. What has the name after a kill, and is another, is of another program, or a user's,
/// and is nobody's to remove. Only an empty file may have a name that does not say that.
struct TemporaryName {
  private static let start = Array(".larder-".utf8)
  private static let end = Array(".tmp".utf8)

  let bytes: [UInt8]
  /// The number of the file that was made under the name; nil where the name tells of none.
  private let made: UInt64?
  /// The file that gets the name when it is replaced or removed, as it was read.
  private let taken: Taken?

  private struct Taken: Equatable {
    let inode: UInt64
    let size: UInt64
    let modified: [UInt64]

    init(_ status: FileStatus) {
      inode = status.inode
      size = UInt64(bitPattern: Int64(status.size))
      modified = [
        UInt64(bitPattern: Int64(status.modifiedSeconds)),
        UInt64(bitPattern: Int64(status.modifiedNanoseconds)),
      ]
    }

    init(_ numbers: ArraySlice<UInt64>) {
      inode = numbers[numbers.startIndex]
      size = numbers[numbers.startIndex + 1]
      modified = Array(numbers.dropFirst(2))
    }

    var numbers: [UInt64] { [inode, size] + modified }
  }

  /// A name that nobody else uses, for a file that is going to be made.
  init() {
    self.init(made: nil, taken: nil)
  }

  /// A name that nobody else uses, for a file that was made.
  init(of made: FileStatus) {
    self.init(made: made.inode, taken: nil)
  }

  /// A name that nobody else uses.
  ///
  /// - Parameters:
  ///   - taken: The file that is going to get the name, as it was read.
  ///   - made: The file that has the name until then; nil where none has it.
  init(taking taken: FileStatus, inExchangeFor made: FileStatus? = nil) {
    self.init(made: made?.inode ?? 0, taken: Taken(taken))
  }

  /// A name for what is to stay: no file that has it is spare.
  static func lasting() -> TemporaryName {
    // There is no file of this number.
    TemporaryName(made: 0, taken: Taken([0, 0, 0, 0]))
  }

  private init(made: UInt64?, taken: Taken?) {
    self.made = made
    self.taken = taken
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    var text = String(repeating: "0", count: 16 - digits.count) + digits
    for number in (made.map { [$0] } ?? []) + (taken?.numbers ?? []) {
      text += "-" + String(number, radix: 16)
    }
    bytes = Self.start + Array(text.utf8) + Self.end
  }

  /// The name that some bytes are; nil where they are another.
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
    made = numbers.count == 1 ? nil : numbers[1]
    taken = numbers.count == 6 ? Taken(numbers[2...]) : nil
  }

  /// Whether the name does not say which file has it: nothing is written under it.
  var isReserved: Bool { made == nil && taken == nil }

  /// Whether a file that has the name is one of which nothing is lost when it goes.
  func isSpare(_ status: FileStatus) -> Bool {
    if isReserved { return status.isRegular && status.size == 0 }
    return status.inode == made || taken.map { $0 == Taken(status) } ?? false
  }

  /// Refuses to give a file a name under which it would be hidden, and removed.
  static func check(
    _ name: [UInt8], of status: FileStatus, _ key: EntryKey
  ) throws(StoreError) {
    if TemporaryName(name)?.isSpare(status) == true { throw .reservedName(key) }
  }
}

extension FolderDescriptor {
  /// Makes an empty file inside.
  ///
  /// - Parameters:
  ///   - old: The file that is going to get the temporary name in exchange; nil where none is.
  ///   - mode: Who may read it at most, from its first moment: only its owner by default.
  /// - Returns: The file and its name.
  /// - Throws: ``FileFailure``.
  func makeTemporary(
    taking old: FileStatus? = nil, mode: mode_t = 0o600
  ) throws(FileFailure) -> (file: FolderDescriptor, name: [UInt8]) {
    while true {
      let name = TemporaryName().bytes
      let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      // Tells that somebody is at work on it, until the process ends in whatever way. Before that
      // another may have taken it for what a killed process left.
      flock(file.number, LOCK_EX)
      guard let made = try status(of: name) else { continue }
      // Before anything is in it: only an empty file may have a name that does not say which it is.
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

  /// Whether a name inside is a temporary one, and leads to nothing that anybody may miss.
  func isSpare(_ name: [UInt8]) -> Bool {
    guard let temporary = TemporaryName(name) else { return false }
    guard let status = try? status(of: name) else { return true }
    return temporary.isSpare(status)
  }
}
