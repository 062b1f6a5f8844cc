import Foundation
import HarmonyInspection
import LarderModel

/// How the values of a live source are shown, and what is sent where one is written.
///
/// JSON is the value that it stands for; what a key holds that holds a list is an array whose form
/// says so. Every other form of a number or of white space is the program's own again once it has
/// read the value.
enum LiveValue {
  /// The value as it is shown.
  ///
  /// - Throws: ``StoreError`` where the program has sent JSON that is none.
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
        throw .failed("the program has sent a value that is not JSON: \(error)")
      }
    }
  }

  /// The value as it is sent.
  ///
  /// - Parameters:
  ///   - value: What is to be written.
  ///   - form: How it is kept, as ``LiveForm`` says it.
  ///   - type: The name of the type of the source's values in the program.
  /// - Returns: The value for the program.
  /// - Throws: ``StoreError`` where the source can hold no such value.
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
    case ("String", _): throw refusal(value, "texts")
    case ("Data", _): throw refusal(value, "data")
    default: return .json(try json(value))
    }
  }

  private static func refusal(_ value: StoredValue, _ wanted: String) -> StoreError {
    .notSupported(
      "the source holds \(wanted), and no value of the type \(value.type.rawValue); nothing was "
        + "written")
  }

  /// A value as plain JSON, which any program reads.
  private static func json(_ value: StoredValue) throws(StoreError) -> String {
    switch value {
    case .null, .bool, .integer, .number, .text: return JSONText.encode(value)
    case .real(let number) where number.isFinite: return JSONText.encode(value)
    // As the other end writes what JSON has no numbers for.
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
      throw .notSupported(
        "the source holds JSON, which has no form for the type \(value.type.rawValue); nothing was "
          + "written")
    }
  }
}

extension InspectedEntry {
  /// The entry as a store has it.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the value is here whole, rather than its beginning.
  ///   - source: The name of the type of the source's values in the program.
  ///   - now: When it was sent.
  /// - Returns: The entry, with the fingerprint of what is shown of a whole value.
  /// - Throws: ``StoreError`` where the program has sent JSON that is none.
  func entry(
    isWhole: Bool, type source: String, at now: Date
  ) throws(StoreError) -> Entry {
    guard (0...Self.maximumSize).contains(size) else {
      throw .corrupt("the program says that a value has \(size) bytes")
    }
    let expires = cached.flatMap { state -> Date? in
      let left = state.timeToLive - state.age
      // A life without an end is none to count down.
      guard left.isFinite, left < Self.longestLife else { return nil }
      // The program's own word, where it has one, does not come late.
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

  /// The date so many seconds from another; a program may say any number.
  private static func date(_ seconds: Double, from now: Date) -> Date {
    now.addingTimeInterval(min(max(seconds, -1e12), 1e12))
  }

  /// The date so many seconds after 1970; a program may say any number.
  private static func date(_ seconds: Double) -> Date {
    date(seconds.isNaN ? 0 : seconds, from: Date(timeIntervalSince1970: 0))
  }

  /// More bytes than any program holds.
  private static let maximumSize = 1 << 50

  /// A hundred years, in seconds.
  private static let longestLife = 3_155_760_000.0

  /// What the value is, as far as its beginning tells; that of JSON is sent as a text.
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
