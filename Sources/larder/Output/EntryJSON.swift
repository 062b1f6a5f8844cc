import Foundation
import LarderModel
import LarderFormats

/// Encodes entries as JSON Lines.
enum EntryJSON {
  /// Returns the line for an entry, without fields that the store does not know.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - store: Its store.
  ///   - oldKey: The key before a rename, which becomes `key`, as in the log.
  ///   - withValue: Whether to include the value.
  ///   - now: The time from which `remaining` is counted.
  ///   - warnings: The warnings on its change; omitted if empty.
  /// - Returns: The line without a line end.
  static func line(
    _ entry: Entry, in store: Store, renamedFrom oldKey: EntryKey? = nil, withValue: Bool = false,
    now: Date = Date(), warnings: [String] = []
  ) -> String {
    var buffer = ByteBuffer(capacity: 512)
    append(
      entry, in: store, renamedFrom: oldKey, withValue: withValue, now: now, warnings: warnings,
      to: &buffer)
    return buffer.text
  }

  /// Appends the line for an entry to a buffer, without a line end.
  static func append(
    _ entry: Entry, in store: Store, renamedFrom oldKey: EntryKey? = nil, withValue: Bool = false,
    now: Date = Date(), warnings: [String] = [], to buffer: inout ByteBuffer
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
    for member in Self.warnings(warnings) { buffer.append("," + member) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Returns the member for warnings; empty if there are none.
  static func warnings(_ warnings: [String]) -> [String] {
    guard !warnings.isEmpty else { return [] }
    return ["\"remarks\":[\(warnings.map(JSONText.quote).joined(separator: ","))]"]
  }

  /// Returns a key as JSON, in the same form as in an export.
  ///
  /// Numbers are numbers, data is Base64 and composite keys are arrays. Text that is not UTF-8
  /// differs from data with the same bytes.
  static func key(_ key: EntryKey, _ style: KeyStyle) -> String {
    JSONText.encode(EntryLine.value(of: key))
  }

  private static func append(_ key: EntryKey, to buffer: inout ByteBuffer) {
    JSONText.append(EntryLine.value(of: key), to: &buffer)
  }
}
