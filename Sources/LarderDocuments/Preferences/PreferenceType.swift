import LarderModel

/// The value types of Android's SharedPreferences, by element name.
enum PreferenceType: String, Sendable, Hashable, CaseIterable {
  case string
  case int
  case long
  case float
  case boolean
  case set
  case null

  /// Returns the type for a new value, or nil if preferences cannot store it.
  init?(for value: StoredValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .integer(let number): self = Int32(exactly: number) == nil ? .long : .int
    case .number: self = value.type == .real ? .float : .long
    case .real: self = .float
    case .text, .url, .uuid: self = .string
    case .array: self = .set
    case .malformedText, .data, .date, .dictionary, .record: return nil
    }
  }

  /// Returns the type for a value that replaces one of another type: numbers retain the old type.
  init?(for value: StoredValue, replacing old: PreferenceType?) {
    switch (old, value) {
    case (.int, .integer), (.long, .integer), (.float, .integer), (.int, .number), (.long, .number),
      (.float, .number), (.int, .real), (.long, .real), (.float, .real):
      self = old ?? .long
    default: self.init(for: value)
    }
  }
}
