import LarderFiles
import Foundation

/// The flags of a file that `chattr` sets, as far as a user gives them to files: that no time of
/// reading is kept, that no backup is made.
///
/// Those that keep anybody from changing a file are none of them, as larder cannot change it either.
struct FileFlags: Equatable {
  /// The letters of `chattr`, with the bits of the kernel.
  private static let known: [(letter: Character, bit: UInt32)] = [
    ("s", 0x1), ("u", 0x2), ("c", 0x4), ("S", 0x8), ("d", 0x40), ("A", 0x80), ("m", 0x400),
    ("j", 0x4000), ("t", 0x8000), ("C", 0x80_0000), ("x", 0x200_0000),
  ]
  private static let mask = known.reduce(0) { $0 | $1.bit }

  private let bits: UInt32

  private init(bits: UInt32) {
    self.bits = bits
  }

  /// The flags of an open file; nil where its file system has none, or it has none of these.
  init?(of file: FolderDescriptor) {
    guard let bits = Self.read(file), bits & Self.mask != 0 else { return nil }
    self.bits = bits & Self.mask
  }

  /// The flags of some letters; others are passed over.
  init?(text: Substring) {
    bits = Self.known.reduce(0) { text.contains($1.letter) ? $0 | $1.bit : $0 }
    if bits == 0 { return nil }
  }

  /// The letters.
  var text: String {
    String(Self.known.filter { bits & $0.bit != 0 }.map(\.letter))
  }

  /// Gives an open file these flags.
  ///
  /// - Returns: Those that it could not be given, as clauses.
  func set(of file: FolderDescriptor) -> [String] {
    guard let present = Self.read(file) else { return Self.clauses(bits, ENOTSUP) }
    guard present & bits != bits, !Self.write(present | bits, file) else { return [] }
    // What one file system knows another does not.
    var (reached, missing) = (present, UInt32(0))
    for (_, bit) in Self.known where bits & ~present & bit != 0 {
      if Self.write(reached | bit, file) { reached |= bit } else { missing |= bit }
    }
    return missing == 0 ? [] : Self.clauses(missing, errno)
  }

  private static func clauses(_ bits: UInt32, _ number: Int32) -> [String] {
    ["its flags \(FileFlags(bits: bits).text): \(FileFailure(number).message)"]
  }

  // FS_IOC_GETFLAGS and FS_IOC_SETFLAGS, macros of a header that Swift does not see. They name the
  // size of a long, of which most file systems use the first half.
  private static let size = UInt(MemoryLayout<Int>.size) << 16
  private static let get: UInt = 0x8000_6601 | size
  private static let put: UInt = 0x4000_6602 | size

  private static func read(_ file: FolderDescriptor) -> UInt32? {
    var long: (UInt32, UInt32) = (0, 0)
    return ioctl(file.number, get, &long) == 0 ? long.0 : nil
  }

  private static func write(_ bits: UInt32, _ file: FolderDescriptor) -> Bool {
    var long: (UInt32, UInt32) = (bits, 0)
    return ioctl(file.number, put, &long) == 0
  }
}
