import LarderModel
import Foundation

/// Explains values that encode something else, such as timestamps, UUIDs and base64.
enum ValueNote {
  /// Returns the likely date of a number, the decoded text of base64, or the version of a UUID in
  /// text or sixteen bytes; nil for other values.
  static func text(of value: StoredValue) -> String? {
    switch value {
    case .integer(let number): Epoch.likelyText(of: number)
    case .real(let number): Epoch.text(of: number)
    case .number(let digits): Double(digits).flatMap { Epoch.text(of: $0) }
    case .text(let text): note(of: text)
    case .uuid(let uuid): uuidText(uuid)
    case .data(let bytes):
      uuid(in: bytes).flatMap { uuid in uuidText(uuid).map { "\(uuid.uuidString), \($0)" } }
    default: nil
    }
  }

  private static func note(of text: String) -> String? {
    switch text.utf8.count {
    case 10...20:
      guard text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else { return meaning(of: text) }
      if let number = Int64(text) { return Epoch.text(of: number) }
      return text.utf8.contains(UInt8(ascii: "."))
        ? Double(text).flatMap { Epoch.text(of: $0) } : meaning(of: text)
    case 36: return UUID(uuidString: text).flatMap { uuidText($0) } ?? meaning(of: text)
    default: return meaning(of: text)
    }
  }

  /// The maximum number of bytes of base64 that are decoded for a note.
  private static let maximumBase64 = 4_096
  /// The minimum number of bytes of base64; short words can be valid base64 by chance.
  private static let minimumBase64 = 12
  /// The maximum number of characters of decoded text in a note.
  private static let maximumNote = 60

  /// Returns a note with the text that base64 encodes.
  private static func meaning(of text: String) -> String? {
    guard minimumBase64...maximumBase64 ~= text.utf8.count,
      let decoded = Base64Text(.text(text))?.decoded, Base64Text.isReadable(decoded)
    else { return nil }
    let meaning = String(decoding: decoded, as: UTF8.self)
    let head = meaning.prefix(maximumNote)
    return "base64: " + head + (head.endIndex < meaning.endIndex ? "…" : "")
  }

  /// Returns the UUID that bytes are, or nil unless version and variant are valid, since any sixteen
  /// bytes form a UUID.
  static func uuid(in bytes: [UInt8]) -> UUID? {
    UUID(versionedBytes: bytes)
  }

  /// Returns the version of a UUID and, for time-based versions, its timestamp.
  private static func uuidText(_ uuid: UUID) -> String? {
    let bytes = uuid.bytes
    if bytes.allSatisfy({ $0 == 0 }) { return "UUID of zeros" }
    guard bytes[8] >> 6 == 2 else { return "UUID" }
    let version = bytes[6] >> 4
    let name = "UUID of version \(version)"
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch version {
    case 1:
      // The low bits of the timestamp come first.
      let count = (number & 0xFFF) << 48 | (number >> 16 & 0xFFFF) << 32 | number >> 32
      return moment(sinceReform: count).map { "\(name), \($0)" } ?? name
    case 6:
      let count = (number >> 16) << 12 | number & 0xFFF
      return moment(sinceReform: count).map { "\(name), \($0)" } ?? name
    case 7: return moment(Int64(number >> 16)).map { "\(name), \($0)" } ?? name
    default: return name
    }
  }

  /// Returns the date of a count of 100 ns since 15 October 1582, when the calendar was reformed.
  private static func moment(sinceReform count: UInt64) -> String? {
    Int64(exactly: count).flatMap { moment(($0 - 122_192_928_000_000_000) / 10_000) }
  }

  private static func moment(_ milliseconds: Int64) -> String? {
    Epoch.text(of: milliseconds)
  }
}
