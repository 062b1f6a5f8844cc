import Foundation
import LarderModel
import LarderFormats

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
    var buffer = ByteBuffer(capacity: 512)
    append(
      entry, in: store, renamedFrom: oldKey, withValue: withValue, now: now, remarks: remarks,
      to: &buffer)
    return buffer.text
  }

  /// Adds the line for an entry to a buffer, without an end.
  static func append(
    _ entry: Entry, in store: Store, renamedFrom oldKey: EntryKey? = nil, withValue: Bool = false,
    now: Date = Date(), remarks: [String] = [], to buffer: inout ByteBuffer
  ) {
    buffer.append(literal: "{\"key\":")
    append(oldKey ?? entry.key, to: &buffer)
    if oldKey != nil {
      buffer.append(literal: ",\"newKey\":")
      append(entry.key, to: &buffer)
    }
    EntrySummary(entry).append(now: now, to: &buffer)
    if let collection = store.location.collection {
      buffer.append(literal: ",\"collection\":")
      buffer.append(quoted: collection)
    }
    entry.fingerprint?.append(to: &buffer)
    if withValue, let value = entry.value {
      buffer.append(literal: ",\"value\":")
      JSONText.append(value, to: &buffer)
    }
    for member in Self.remarks(remarks) { buffer.append("," + member) }
    buffer.append(UInt8(ascii: "}"))
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
    JSONText.encode(EntryLine.value(of: key))
  }

  private static func append(_ key: EntryKey, to buffer: inout ByteBuffer) {
    JSONText.append(EntryLine.value(of: key), to: &buffer)
  }
}
