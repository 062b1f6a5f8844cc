import Foundation
import LarderModel

/// The format of Laravel's `file` cache: a timestamp of ten digits in seconds since 1970, followed
/// by a value serialized by PHP.
enum LaravelCacheFile: CacheFileFormat {
  static let name = Messages.laravel
  static let evidence = Messages.laravelEvidence

  /// The timestamp that means "never".
  private static let endless: Int64 = 9_999_999_999
  private static let digits = 10

  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry? {
    guard let (number, count) = start.leadingNumber(digits: digits...digits),
      start.dropFirst(count).beginsAsPHP
    else { return nil }
    return FileExpiry(
      expires: number == endless ? nil : Date(timeIntervalSince1970: Double(number)))
  }

  static func bytes(_ bytes: [UInt8], expiring date: Date?) throws(StoreError) -> [UInt8] {
    let number = try date?.wholeSeconds(for: name) ?? endless
    let text = String(number)
    return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
      + bytes.dropFirst(digits)
  }
}
