import LarderModel

/// The types of values that Android's SharedPreferences have, by the names of their elements.
enum PreferenceType: String, Sendable, Hashable, CaseIterable {
  case string
  case int
  case long
  case float
  case boolean
  case set
  case null

  /// The type that a new value gets; nil where preferences have none for it.
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

  /// The type that a value gets in place of another: numbers keep theirs.
  init?(for value: StoredValue, replacing old: PreferenceType?) {
    switch (old, value) {
    case (.int, .integer), (.long, .integer), (.float, .integer), (.int, .number), (.long, .number),
      (.float, .number), (.int, .real), (.long, .real), (.float, .real):
      self = old ?? .long
    default: self.init(for: value)
    }
  }
}
