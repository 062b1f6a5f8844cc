import Foundation
import LarderModel

/// The file format of cachelib's `FileSystemCache`, which Flask uses for sessions: a four-byte
/// timestamp in seconds since 1970, or 0 for never, followed by a pickled value.
enum CachelibCacheFile: CacheFileFormat {
  static let name = "cachelib's file cache"
  static let evidence =
    "files begin with four bytes of seconds since 1970 and a pickled value, as "
    + "FileSystemCache reads them"

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
      throw CacheFileFormats.refusal(name, "holds moments before the year 2106")
    }
    return withUnsafeBytes(of: number.littleEndian) { Array($0) } + bytes.dropFirst(size)
  }
}
