extension StoredValue {
  /// Whether the value contains text, at any depth, that is not valid UTF-8.
  package var holdsMalformedText: Bool {
    switch self {
    case .malformedText: true
    case .array(let values): values.contains(where: \.holdsMalformedText)
    case .dictionary(let fields), .record(let fields):
      fields.contains { $0.value.holdsMalformedText }
    default: false
    }
  }
}
