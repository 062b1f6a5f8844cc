import Foundation
import LarderModel

/// The format of nginx's response cache: a header of version 5 that contains the expiry in seconds
/// since 1970, then a line with the key, then the response.
///
/// The header is a native C structure, `ngx_http_file_cache_header_t`. The layout supported here is
/// 64-bit little-endian, as on nearly all machines.
enum NginxCacheFile: CacheFileFormat {
  static let name = Messages.nginx
  static let evidence = Messages.nginxEvidence

  private static let version: UInt64 = 5
  private static let numberSize = 8
  /// The position of the response offset: after six numbers, a checksum and a count.
  private static let placeOfStart = 6 * numberSize + 4 + 2
  private static let mark = Array("\nKEY: ".utf8)

  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry? {
    let bytes = Array(start)
    guard bytes.littleEndian(numberSize) == version,
      let seconds = bytes.dropFirst(numberSize).littleEndian(numberSize),
      let answer = bytes.dropFirst(placeOfStart).littleEndian(2).map(Int.init),
      let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      place > placeOfStart, answer > place + mark.count, answer <= size,
      answer > bytes.count || bytes[answer - 1] == UInt8(ascii: "\n"),
      seconds < 253_402_300_800
    else { return nil }
    return FileExpiry(expires: Date(timeIntervalSince1970: Double(seconds)))
  }

  static func bytes(_ bytes: [UInt8], expiring date: Date?) throws(StoreError) -> [UInt8] {
    guard let date else {
      throw .noNever(name)
    }
    let seconds = UInt64(try date.wholeSeconds(for: name))
    var bytes = bytes
    bytes.replaceSubrange(
      numberSize..<(2 * numberSize), with: withUnsafeBytes(of: seconds.littleEndian) { Array($0) })
    return bytes
  }
}
