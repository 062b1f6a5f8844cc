extension StoredValue {
  /// Whether text in it, however deep, is no UTF-8.
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
