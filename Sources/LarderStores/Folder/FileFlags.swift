import LarderFiles
import Foundation

/// The file attributes that `chattr` sets for users' purposes, such as those that disable access
/// times or backups.
///
/// The attributes that prevent changes to a file are not included, as larder could not change such
/// a file either.
struct FileFlags: Equatable {
  /// The letters of `chattr`, and the kernel's bits.
  private static let known: [(letter: Character, bit: UInt32)] = [
    ("s", 0x1), ("u", 0x2), ("c", 0x4), ("S", 0x8), ("d", 0x40), ("A", 0x80), ("m", 0x400),
    ("j", 0x4000), ("t", 0x8000), ("C", 0x80_0000), ("x", 0x200_0000),
  ]
  private static let mask = known.reduce(0) { $0 | $1.bit }

  private let bits: UInt32

  private init(bits: UInt32) {
    self.bits = bits
  }

  /// Creates the flags of an open file, or returns nil if it has none or its file system does not
  /// support them.
  init?(of file: FolderDescriptor) {
    guard let bits = Self.read(file), bits & Self.mask != 0 else { return nil }
    self.bits = bits & Self.mask
  }

  /// Creates flags from their letters; unknown letters are ignored.
  init?(text: Substring) {
    bits = Self.known.reduce(0) { text.contains($1.letter) ? $0 | $1.bit : $0 }
    if bits == 0 { return nil }
  }

  /// The letters of the flags.
  var text: String {
    String(Self.known.filter { bits & $0.bit != 0 }.map(\.letter))
  }

  /// Sets these flags on an open file.
  ///
  /// - Returns: The flags that could not be set, as clauses.
  func set(of file: FolderDescriptor) -> [String] {
    guard let present = Self.read(file) else { return Self.clauses(bits, ENOTSUP) }
    guard present & bits != bits, !Self.write(present | bits, file) else { return [] }
    // Not every file system supports all flags, so set them one by one.
    var (reached, missing) = (present, UInt32(0))
    for (_, bit) in Self.known where bits & ~present & bit != 0 {
      if Self.write(reached | bit, file) { reached |= bit } else { missing |= bit }
    }
    return missing == 0 ? [] : Self.clauses(missing, errno)
  }

  private static func clauses(_ bits: UInt32, _ number: Int32) -> [String] {
    ["its flags \(FileFlags(bits: bits).text): \(FileFailure(number).message)"]
  }

  // FS_IOC_GETFLAGS and FS_IOC_SETFLAGS, which are macros that Swift does not import. They encode
  // the size of a long, although most file systems use only its first half.
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
