import Foundation
import LarderModel

/// The file format of cachelib's `FileSystemCache`, which Flask uses for sessions: a four-byte
/// timestamp in seconds since 1970, or 0 for never, followed by a pickled value.
enum CachelibCacheFile: CacheFileFormat {
  static let name = Messages.cachelib
  static let evidence = Messages.cachelibEvidence

  private static let size = 4

  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry? {
    guard let number = start.littleEndian(Self.size) else { return nil }
    let value = Array(start.dropFirst(Self.size))
    // A pickled value ends with a full stop, if all of it has been read.
    let isEnded = size > start.count || value.last == UInt8(ascii: ".")
    guard value.count >= 3, value[0] == 0x80, (2...5).contains(value[1]), isEnded,
      number == 0 || number > 900_000_000
    else { return nil }
    return FileExpiry(expires: number == 0 ? nil : Date(timeIntervalSince1970: Double(number)))
  }

  static func bytes(_ bytes: [UInt8], expiring date: Date?) throws(StoreError) -> [UInt8] {
    let seconds = try date?.wholeSeconds(for: name) ?? 0
    guard let number = UInt32(exactly: seconds) else {
      throw .outOfRange(name, 2000...2105)
    }
    return withUnsafeBytes(of: number.littleEndian) { Array($0) } + bytes.dropFirst(size)
  }
}
