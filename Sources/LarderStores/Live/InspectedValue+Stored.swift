import Foundation
import HarmonyInspection
import LarderModel

/// Conversions between the values of live sources and the stored values that are shown and edited.
///
/// JSON is shown as the value it represents, and a value that is a list as an array with a form
/// that marks it. The formatting of numbers and whitespace is up to the program, which writes its
/// own once it has read a value.
enum LiveValue {
  /// Converts a value from a live source.
  ///
  /// - Throws: ``StoreError`` if the program sent invalid JSON.
  static func stored(_ value: InspectedValue) throws(StoreError) -> StoredValue {
    switch value {
    case .text(let text): return .text(text)
    case .data(let bytes): return .data([UInt8](bytes))
    case .list(let values):
      return .array(try values.map { value throws(StoreError) in try stored(value) })
    case .json(let text):
      do {
        return try JSONParser.parse(text.utf8, readsTypes: false)
      } catch {
        throw .sentInvalidJSON(error)
      }
    }
  }

  /// Converts a value to send to the program.
  ///
  /// - Parameters:
  ///   - value: The value to write.
  ///   - form: The form of the value, as in ``LiveForm``.
  ///   - type: The name of the type of the source's values in the program.
  /// - Returns: The value to send.
  /// - Throws: ``StoreError`` if the source cannot hold the value.
  static func sent(
    _ value: StoredValue, form: String?, type: String
  ) throws(StoreError) -> InspectedValue {
    if LiveForm(form).isList, case .array(let values) = value {
      return .list(
        try values.map { value throws(StoreError) in try sent(value, form: nil, type: type) })
    }
    switch (type, value) {
    case ("String", .text(let text)): return .text(text)
    case ("Data", .text(let text)): return .text(text)
    case (_, .data(let bytes)) where type == "Data": return .data(Data(bytes))
    case ("String", _): throw refusal(value, "text")
    case ("Data", _): throw refusal(value, "data")
    default: return .json(try json(value))
    }
  }

  private static func refusal(_ value: StoredValue, _ wanted: String) -> StoreError {
    .sourceHolds(wanted, value.type)
  }

  /// Returns a value as standard JSON.
  private static func json(_ value: StoredValue) throws(StoreError) -> String {
    switch value {
    case .null, .bool, .integer, .number, .text: return JSONText.encode(value)
    case .real(let number) where number.isFinite: return JSONText.encode(value)
    // JSON cannot represent these numbers; the program encodes them as the same strings.
    case .real(let number):
      return number.isNaN ? "\"nan\"" : number < 0 ? "\"-inf\"" : "\"inf\""
    case .array(let values):
      let parts = try values.map { value throws(StoreError) in try json(value) }
      return "[" + parts.joined(separator: ",") + "]"
    case .dictionary(let fields), .record(let fields):
      let parts = try fields.map { field throws(StoreError) in
        JSONText.quote(field.name) + ":" + (try json(field.value))
      }
      return "{" + parts.joined(separator: ",") + "}"
    case .malformedText, .data, .date, .url, .uuid:
      throw .noJSON(value.type)
    }
  }
}

extension InspectedEntry {
  /// Converts the entry to one of a store.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the value is complete, not only a prefix.
  ///   - source: The name of the type of the source's values in the program.
  ///   - now: The time at which the entry was sent.
  /// - Returns: The entry, with a fingerprint if the value is complete.
  /// - Throws: ``StoreError`` if the program sent invalid JSON.
  func entry(
    isWhole: Bool, type source: String, at now: Date
  ) throws(StoreError) -> Entry {
    guard (0...Self.maximumSize).contains(size) else {
      throw .sentSize(size)
    }
    let expires = cached.flatMap { state -> Date? in
      let left = state.timeToLive - state.age
      // A very long or infinite TTL means that the entry never expires.
      guard left.isFinite, left < Self.longestLife else { return nil }
      // An expiry that the program states is more exact, as it does not depend on the delay.
      return state.expires.map(Self.date) ?? Self.date(left, from: now)
    }
    let modified = cached.flatMap { state -> Date? in
      state.stored.map(Self.date) ?? (state.age.isFinite ? Self.date(-state.age, from: now) : nil)
    }
    var entry: Entry
    if isWhole, let value {
      let isList = if case .list = value { true } else { false }
      entry = Entry(
        key: .text(key), value: try LiveValue.stored(value), size: size, modified: modified,
        expires: expires, form: LiveForm(isList: isList).text)
    } else {
      entry = Entry(
        key: .text(key), type: type(in: source), size: size, modified: modified, expires: expires)
    }
    if let cached {
      entry.hits = cached.hits
      if cached.lastUsed.isFinite { entry.lastUsed = Self.date(-cached.lastUsed, from: now) }
    }
    return entry
  }

  /// Returns a date relative to another, limited to a safe range: the number comes from the
  /// program.
  private static func date(_ seconds: Double, from now: Date) -> Date {
    now.addingTimeInterval(min(max(seconds, -1e12), 1e12))
  }

  /// Returns the date for seconds since 1970, limited to a safe range: the number comes from the
  /// program.
  private static func date(_ seconds: Double) -> Date {
    date(seconds.isNaN ? 0 : seconds, from: Date(timeIntervalSince1970: 0))
  }

  /// An upper bound for the size of a value, in bytes; larger sizes are invalid.
  private static let maximumSize = 1 << 50

  /// A hundred years, in seconds; longer TTLs are treated as infinite.
  private static let longestLife = 3_155_760_000.0

  /// Returns the type of the value, as far as its prefix reveals it; a JSON prefix is sent as text.
  private func type(in source: String) -> StoredType? {
    guard let value else { return nil }
    if value.size == size { return (try? LiveValue.stored(value))?.type }
    switch value {
    case .list: return .array
    case .data: return .data
    case .text where source == "String": return .text
    case .text(let start), .json(let start):
      switch start.utf8.first {
      case UInt8(ascii: "{"): return .dictionary
      case UInt8(ascii: "["): return .array
      case UInt8(ascii: "\""): return .text
      default: return nil
      }
    }
  }
}
