import Foundation
import LarderModel

/// The file format of Django's `FileBasedCache`: a pickled timestamp in seconds since 1970, or
/// `None`, followed by a pickled value that is compressed with zlib.
enum DjangoCacheFile: CacheFileFormat {
  static let name = Messages.django
  static let evidence = Messages.djangoEvidence

  /// The frame opcode with the length that precedes a float since pickle protocol 4.
  private static let frame: [UInt8] = [0x95, 10, 0, 0, 0, 0, 0, 0, 0]
  private static let float = UInt8(ascii: "G")
  private static let none = UInt8(ascii: "N")
  private static let stop = UInt8(ascii: ".")

  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry? {
    parts(start).map { FileExpiry(expires: $0.expires) }
  }

  static func bytes(_ bytes: [UInt8], expiring date: Date?) throws(StoreError) -> [UInt8] {
    guard let parts = parts(bytes) else {
      throw .otherFormat(name)
    }
    let rest = bytes.dropFirst(parts.size)
    // Use the original pickle protocol, so that the cache can read the file.
    let version: [UInt8] = [0x80, parts.version]
    guard let date else { return version + [none, stop] + rest }
    let seconds = date.timeIntervalSince1970
    guard seconds > 0, seconds < 253_402_300_800 else {
      throw .outOfRange(name, 1970...9999)
    }
    let number = withUnsafeBytes(of: seconds.bitPattern.bigEndian) { Array($0) }
    let opening = parts.version >= 4 ? version + frame : version
    return opening + [float] + number + [stop] + rest
  }

  private static func parts(
    _ bytes: some RandomAccessCollection<UInt8>
  ) -> (version: UInt8, expires: Date?, size: Int)? {
    let head = Array(bytes.prefix(32))
    guard head.count >= 6, head[0] == 0x80, (2...5).contains(head[1]) else { return nil }
    let isFramed = head[2...].starts(with: frame)
    let place = isFramed ? 2 + frame.count : 2
    if !isFramed, head[2] == none, head[3] == stop {
      return isPacked(head[4...]) ? (head[1], nil, 4) : nil
    }
    guard head.count > place + 11, head[place] == float, head[place + 9] == stop,
      isPacked(head[(place + 10)...])
    else { return nil }
    let bits = head[(place + 1)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let seconds = Double(bitPattern: bits)
    // Django represents timeouts of 0 and below as a second ago.
    guard seconds.isFinite, seconds > 0 else { return nil }
    return (head[1], Date(timeIntervalSince1970: min(seconds, 253_402_300_800)), place + 10)
  }

  /// Returns whether bytes start with a zlib header.
  private static func isPacked(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = Array(bytes.prefix(2))
    return head.count == 2 && head[0] == 0x78 && (Int(head[0]) * 256 + Int(head[1])) % 31 == 0
  }
}
