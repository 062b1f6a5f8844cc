import LarderModel

extension ValueFormat {
  /// Sixteen bytes that are a UUID (RFC 9562), as text with its version and time.
  static let uuid = ValueFormat(
    name: "uuid", shows: "the 16 bytes of a UUID",
    suits: { value in
      guard case .data(let bytes) = value, ValueNote.uuid(in: bytes) != nil, !bytes.looksLikeText
      else { return 0 }
      return 4
    },
    lines: { value, limit, width in text.lines(identifier(in: value), limit, width) },
    rows: { value, width in text.rows(identifier(in: value), width) },
    compared: { text.compared(identifier(in: $0)) },
    preview: identifier)

  private static func identifier(in value: StoredValue) -> StoredValue {
    ValueNote.uuid(in: bytes(of: value)).map(StoredValue.uuid) ?? value
  }
}
