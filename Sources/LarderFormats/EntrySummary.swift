package import LarderModel
package import Foundation

/// What a list says of an entry beside its key and its fingerprint, as members of a JSON object.
package struct EntrySummary: Sendable, Hashable {
  /// The word for its type, where that is known.
  package var type: String?
  /// The size of its value, in bytes.
  package var size: Int?
  /// When it was written last.
  package var modified: Date?
  /// When it expires.
  package var expires: Date?
  /// How often it was used.
  package var hits: Int?
  /// When it was used last.
  package var lastUsed: Date?

  /// Describes an entry of which nothing is known.
  package init() {}

  /// Describes an entry.
  package init(_ entry: Entry) {
    type = entry.specialType ?? entry.type?.rawValue
    size = entry.size
    modified = entry.modified
    expires = entry.expires
    hits = entry.hits
    lastUsed = entry.lastUsed
  }

  /// Adds the members, each with a comma before it; what is not known is left out.
  ///
  /// - Parameters:
  ///   - now: The moment from which the time is counted that remains until it expires.
  ///   - buffer: What they are added to.
  package func append(now: Date, to buffer: inout ByteBuffer) {
    if let type {
      buffer.append(literal: ",\"type\":")
      buffer.append(quoted: type)
    }
    if let size {
      buffer.append(literal: ",\"size\":")
      buffer.append(digitsOf: Int64(size))
    }
    if let modified { buffer.append(",\"modified\":\"\(Timestamp.text(of: modified))\"") }
    if let expires {
      buffer.append(",\"expires\":\"\(Timestamp.text(of: expires))\"")
      let remaining = expires.timeIntervalSince(now).rounded(.down)
      if let remaining = Int64(exactly: remaining) { buffer.append(",\"remaining\":\(remaining)") }
    }
    if let hits { buffer.append(",\"hits\":\(hits)") }
    if let lastUsed { buffer.append(",\"used\":\"\(Timestamp.text(of: lastUsed))\"") }
  }
}

extension Fingerprint {
  /// Adds the member of a JSON object that is this fingerprint, with a comma before it.
  package func append(to buffer: inout ByteBuffer) {
    buffer.append(literal: ",\"fingerprint\":\"")
    withDigits { buffer.append($0) }
    buffer.append(UInt8(ascii: "\""))
  }
}
