import Foundation
import Harmony

/// Computes fingerprints, without requiring a complete value in memory.
///
/// Each part is preceded by its type and length, so that no two values have the same encoding.
package struct FingerprintDigest: ~Copyable {
  /// The types of parts, whose raw values must never change because fingerprints are stored.
  private enum Tag: UInt8 {
    case null, bool, integer, real, text, data, date, url, uuid, array, dictionary, record, number
  }

  /// The number of encoded bytes that are collected, as hashing a few at a time is slow.
  private static let piece = 4_096

  private var digest = SHA256()
  /// The encoded parts that are not part of the digest yet.
  private var encoded = ByteBuffer(capacity: piece)

  /// Creates an empty digest.
  package init() {}

  /// Returns the fingerprint of everything that was added, and begins the next one.
  package mutating func takeFingerprint() -> Fingerprint {
    flush()
    let (high, low) = digest.leadingWords()
    digest = SHA256()
    return Fingerprint(high: high, low: low)
  }

  /// Adds a null.
  package mutating func addNull() { begin(.null, count: 0) }

  /// Adds an integer.
  package mutating func add(_ number: Int64) { add(.integer, UInt64(bitPattern: number)) }

  /// Adds a real number.
  package mutating func add(_ number: Double) { add(.real, number.bitPattern) }

  /// Adds a text, which need not be valid UTF-8.
  package mutating func add(text: UnsafeRawBufferPointer) { add(.text, text) }

  /// Adds bytes.
  package mutating func add(data: UnsafeRawBufferPointer) { add(.data, data) }

  /// Returns a text as ``add(encoded:)`` takes it.
  package static func encoded(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer(capacity: text.utf8.count + 9)
    buffer.append(Tag.text.rawValue, bigEndian: UInt64(text.utf8.count))
    buffer.append(text)
    return buffer.bytes
  }

  /// Adds a text that was encoded before, such as the name of a column.
  package mutating func add(encoded text: UnsafeRawBufferPointer) {
    guard encoded.count + text.count > Self.piece else { return encoded.append(text) }
    flush()
    digest.update(text)
  }

  /// Begins a record, to be followed by its fields, each a text for the name and a value.
  package mutating func beginRecord(of count: Int) { add(.record, UInt64(count)) }

  /// Adds a complete value.
  package mutating func add(_ value: StoredValue) {
    switch value {
    case .null: addNull()
    case .bool(let flag):
      begin(.bool, count: 1)
      encoded.append(flag ? 1 : 0)
    case .integer(let number): add(number)
    case .real(let number): add(number)
    case .text(let text): add(.text, text)
    case .malformedText(let bytes): bytes.withUnsafeBytes { add(text: $0) }
    case .data(let bytes): bytes.withUnsafeBytes { add(data: $0) }
    case .date(let date): add(.date, date.timeIntervalSinceReferenceDate.bitPattern)
    case .url(let text): add(.url, text)
    case .uuid(let uuid): add(.uuid, uuid.uuidString)
    case .number(let digits): add(.number, digits)
    case .array(let values):
      add(.array, UInt64(values.count))
      for value in values { add(value) }
    case .dictionary(let fields), .record(let fields):
      add(value.type == .record ? .record : .dictionary, UInt64(fields.count))
      for field in fields {
        add(.text, field.name)
        add(field.value)
      }
    }
  }

  private mutating func begin(_ tag: Tag, count: Int) {
    encoded.append(tag.rawValue, bigEndian: UInt64(count))
  }

  private mutating func add(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) {
    begin(tag, count: bytes.count)
    guard encoded.count + bytes.count > Self.piece else { return encoded.append(bytes) }
    flush()
    digest.update(bytes)
  }

  private mutating func add(_ tag: Tag, _ text: String) {
    var text = text
    text.withUTF8 { add(tag, UnsafeRawBufferPointer($0)) }
  }

  private mutating func add(_ tag: Tag, _ number: UInt64) {
    begin(tag, count: 8)
    withUnsafeBytes(of: number.bigEndian) { encoded.append($0) }
  }

  private mutating func flush() {
    encoded.withBytes { digest.update($0) }
    encoded.truncate(to: 0)
  }
}
