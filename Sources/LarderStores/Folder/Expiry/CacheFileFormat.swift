import Foundation
import LarderModel

/// The expiry that a file states.
struct FileExpiry: Sendable, Equatable {
  /// The expiry, or nil if the file never expires.
  var expires: Date?
}

/// A file format that states the expiry at the start of each file.
///
/// To add a format, define a type in its own file and add it to ``CacheFileFormats``.
protocol CacheFileFormat: Sendable {
  /// The name of the program or component that writes such files.
  static var name: String { get }

  /// The evidence for the format, with the program that defines it, as a clause.
  static var evidence: String { get }

  /// The age at which a file that never expires is dated, if the modification time of a file is its
  /// expiry and its age is therefore unknown; otherwise nil.
  static var ageOfEndless: TimeInterval? { get }

  /// Returns the expiry of a file.
  ///
  /// - Parameters:
  ///   - start: The first ``CacheFileFormats/startSize`` bytes of the file, or all of a smaller
  ///     file.
  ///   - size: The size of the file in bytes.
  /// - Returns: The expiry, or nil if the file does not have this format.
  static func expiry(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileExpiry?

  /// Returns the contents of a file with another expiry.
  ///
  /// - Throws: ``StoreError`` if the format cannot represent the expiry.
  static func bytes(_ bytes: [UInt8], expiring: Date?) throws(StoreError) -> [UInt8]
}

extension CacheFileFormat {
  static var ageOfEndless: TimeInterval? { nil }
}

/// The known formats of files that state their expiry.
enum CacheFileFormats {
  /// The number of bytes needed to recognize a format.
  static let startSize = 512

  /// All known formats, in the order in which they are tried.
  static let all: [any CacheFileFormat.Type] = [
    DjangoCacheFile.self, LaravelCacheFile.self, SymfonyCacheFile.self, NginxCacheFile.self,
    CachelibCacheFile.self,
  ]
}

extension RandomAccessCollection<UInt8> {
  /// Returns the leading digits as a number, or nil if their count is out of range.
  func leadingNumber(digits: ClosedRange<Int>) -> (number: Int64, count: Int)? {
    var number: Int64 = 0
    var count = 0
    for byte in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      count += 1
      guard count <= digits.upperBound else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return digits.contains(count) ? (number, count) : nil
  }

  /// Returns the first bytes as an unsigned little-endian number.
  func littleEndian(_ count: Int) -> UInt64? {
    guard self.count >= count else { return nil }
    return prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether these bytes start like a value serialized by PHP.
  var beginsAsPHP: Bool {
    let head = Array(prefix(24))
    guard head.count >= 2 else { return false }
    switch head[0] {
    case UInt8(ascii: "N"): return head[1] == UInt8(ascii: ";")
    case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "d"):
      guard head[1] == UInt8(ascii: ":") else { return false }
      return head.dropFirst(2).first.map { "-0123456789.INinf".utf8.contains($0) } ?? false
    case UInt8(ascii: "s"), UInt8(ascii: "a"), UInt8(ascii: "O"), UInt8(ascii: "C"),
      UInt8(ascii: "E"):
      guard head[1] == UInt8(ascii: ":"),
        let length = head.dropFirst(2).leadingNumber(digits: 1...10)
      else { return false }
      return head.dropFirst(2 + length.count).first == UInt8(ascii: ":")
    default: return false
    }
  }
}

extension Date {
  /// Returns the date as whole seconds since 1970.
  ///
  /// Throws an error unless the date is between 2000 and 2286, the range in which a timestamp is
  /// recognized when it is read back.
  func wholeSeconds(for name: String) throws(StoreError) -> Int64 {
    let seconds = (timeIntervalSince1970 + TimestampForm.exactness).rounded(.down)
    guard (946_684_800...9_999_999_998).contains(seconds) else {
      throw .outOfRange(name, 2000...2286)
    }
    return Int64(seconds)
  }
}
