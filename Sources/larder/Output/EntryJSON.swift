import Foundation
import LarderCore

/// Entries as JSON Lines.
enum EntryJSON {
  /// One line for an entry; `value` and what the store does not know are left out.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - store: Its store.
  ///   - oldKey: The key that it had before it was renamed: `key` is that one, as in the log.
  ///   - withValue: Whether its value is part of the line.
  ///   - now: The moment from which the time is counted that remains until it expires.
  ///   - remarks: What there is to say of its change, which is left out where it is nothing.
  /// - Returns: The line without an end.
  static func line(
    _ entry: Entry, in store: Store, renamedFrom oldKey: EntryKey? = nil, withValue: Bool = false,
    now: Date = Date(), remarks: [String] = []
  ) -> String {
    var fields = ["\"key\":\(key(oldKey ?? entry.key, store.keyStyle))"]
    if oldKey != nil { fields.append("\"newKey\":\(key(entry.key, store.keyStyle))") }
    if let type = entry.specialType ?? entry.type?.rawValue {
      fields.append("\"type\":\(JSONText.quote(type))")
    }
    if let size = entry.size { fields.append("\"size\":\(size)") }
    if let modified = entry.modified {
      fields.append("\"modified\":\"\(Timestamp.text(of: modified))\"")
    }
    if let expires = entry.expires {
      fields.append("\"expires\":\"\(Timestamp.text(of: expires))\"")
      let remaining = expires.timeIntervalSince(now).rounded(.down)
      if let remaining = Int64(exactly: remaining) { fields.append("\"remaining\":\(remaining)") }
    }
    if let hits = entry.hits { fields.append("\"hits\":\(hits)") }
    if let lastUsed = entry.lastUsed {
      fields.append("\"used\":\"\(Timestamp.text(of: lastUsed))\"")
    }
    if let collection = store.location.collection {
      fields.append("\"collection\":\(JSONText.quote(collection))")
    }
    if let fingerprint = entry.fingerprint {
      fields.append("\"fingerprint\":\"\(fingerprint)\"")
    }
    if withValue, let value = entry.value {
      fields.append("\"value\":\(JSONText.encode(value))")
    }
    return "{" + (fields + Self.remarks(remarks)).joined(separator: ",") + "}"
  }

  /// The member that says what there is to say of a change; none where that is nothing.
  static func remarks(_ remarks: [String]) -> [String] {
    guard !remarks.isEmpty else { return [] }
    return ["\"remarks\":[\(remarks.map(JSONText.quote).joined(separator: ","))]"]
  }

  /// A key as JSON: numbers as numbers, bytes as base64, keys of several parts as arrays.
  ///
  /// As in an export, so that text that is not UTF-8 is another key than the same bytes.
  static func key(_ key: EntryKey, _ style: KeyStyle) -> String {
    switch key {
    case .null: "null"
    case .integer(let number): String(number)
    case .real(let number): JSONText.encode(.real(number))
    case .text(let text): JSONText.quote(text)
    case .malformedText(let bytes): JSONText.encode(.malformedText(bytes))
    case .bytes(let bytes): JSONText.encode(.data(bytes))
    case .composite(let parts):
      "[" + parts.map { Self.key($0, style) }.joined(separator: ",") + "]"
    }
  }
}
