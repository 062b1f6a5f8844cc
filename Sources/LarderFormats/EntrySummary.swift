package import LarderModel
package import Foundation

/// The metadata of an entry in a list, written as members of a JSON object next to its key and
/// fingerprint.
package struct EntrySummary: Sendable, Hashable {
  /// The name of the value's type, if known.
  package var type: String?
  /// The size of the value in bytes.
  package var size: Int?
  /// The time of the last write.
  package var modified: Date?
  /// The expiry of the entry.
  package var expires: Date?
  /// The number of times the entry was used.
  package var hits: Int?
  /// The time of the last use.
  package var lastUsed: Date?

  /// Creates an empty summary.
  package init() {}

  /// Creates a summary of an entry.
  package init(_ entry: Entry) {
    type = entry.specialType ?? entry.type?.rawValue
    size = entry.size
    modified = entry.modified
    expires = entry.expires
    hits = entry.hits
    lastUsed = entry.lastUsed
  }

  /// Appends the known members, each preceded by a comma.
  ///
  /// - Parameters:
  ///   - now: The time from which the remaining TTL is calculated.
  ///   - buffer: The buffer to append to.
  package func append(now: Date, to buffer: inout ByteBuffer) {
    if let type {
      buffer.append(literal: ",\"type\":")
      buffer.append(quoted: type)
    }
    if let size {
      buffer.append(literal: ",\"size\":")
      buffer.append(digitsOf: Int64(size))
    }
    if let modified { buffer.append(member: "modified", modified) }
    if let expires {
      buffer.append(member: "expires", expires)
      let remaining = expires.timeIntervalSince(now).rounded(.down)
      if let remaining = Int64(exactly: remaining) {
        buffer.append(literal: ",\"remaining\":")
        buffer.append(digitsOf: remaining)
      }
    }
    if let hits {
      buffer.append(literal: ",\"hits\":")
      buffer.append(digitsOf: Int64(hits))
    }
    if let lastUsed { buffer.append(member: "used", lastUsed) }
  }
}

extension Fingerprint {
  /// Appends the fingerprint as a member of a JSON object, preceded by a comma.
  package func append(to buffer: inout ByteBuffer) {
    buffer.append(literal: ",\"fingerprint\":\"")
    withDigits { buffer.append($0) }
    buffer.append(UInt8(ascii: "\""))
  }
}
