import Foundation
import LarderModel

/// The format of Symfony's `FilesystemAdapter`.
///
/// A file consists of a line with the expiry in seconds since 1970, a line with the percent-encoded
/// key, and the value. The modification time of the file is its expiry.
enum SymfonyCacheFile: CacheFileFormat {
  static let name = Messages.symfony
  static let evidence = Messages.symfonyEvidence
  /// One year, as in `FilesystemCommonTrait`: until then, `hasItem` checks only the modification time.
  static let ageOfEndless: TimeInterval? = 31_556_952

  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry? {
    guard let (number, count) = start.leadingNumber(digits: 1...11) else { return nil }
    let rest = start.dropFirst(count)
    guard rest.first == UInt8(ascii: "\n") else { return nil }
    let key = rest.dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    let value = rest.dropFirst(1 + key.count)
    guard !key.isEmpty, key.allSatisfy(isOfKey), value.first == UInt8(ascii: "\n"),
      isValue(value.dropFirst()), number == 0 || number > 900_000_000
    else { return nil }
    return FileExpiry(expires: number == 0 ? nil : Date(timeIntervalSince1970: Double(number)))
  }

  static func bytes(_ bytes: [UInt8], expiring date: Date?) throws(StoreError) -> [UInt8] {
    let number = try date?.wholeSeconds(for: name) ?? 0
    return Array(String(number).utf8) + bytes.drop { $0 != UInt8(ascii: "\n") }
  }

  /// Returns whether a byte can occur in the output of `rawurlencode`.
  private static func isOfKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_.~%".utf8.contains(byte)
    }
  }

  /// Returns whether bytes start like a value serialized by PHP or `igbinary`, or one that Symfony
  /// stores with its tags.
  private static func isValue(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
    bytes.beginsAsPHP || bytes.starts(with: [0, 0, 0, 2]) || bytes.first == 0x9D
  }
}
