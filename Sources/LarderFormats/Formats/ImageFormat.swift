import LarderModel

extension ValueFormat {
  /// The image's header information, followed by a hex dump.
  package static let image = ValueFormat(
    name: "image", shows: "the bytes of an image",
    suits: { value in
      if case .data(let bytes) = value, ImageFacts(of: bytes) != nil { 4 } else { 0 }
    },
    lines: { value, limit, width in facts(of: value) + hex.lines(value, limit, width) },
    rows: { value, width in
      var content = hex.rows(value, width)
      content.head = facts(of: value)
      return content
    },
    compared: { .headed(facts(of: $0), .bytes(bytes(of: $0))) })

  private static func facts(of value: StoredValue) -> [ValueLine] {
    let bytes = bytes(of: value)
    let facts = ImageFacts(of: bytes).map { $0.lines } ?? []
    let count = DecodedValue.bytes(bytes.count)
    return (facts + [count]).map { ValueLine([.init($0, .note)]) } + [ValueLine([])]
  }
}
