extension ValueFormat {
  /// What bytes of gzip hold, in the format that suits it.
  static let gzip = compressed(.gzip)
  /// What bytes of zlib hold, in the format that suits it.
  static let zlib = compressed(.zlib)

  private static func compressed(_ form: Inflation.Form) -> ValueFormat {
    ValueFormat(
      name: form.rawValue, looksInside: true,
      suits: { value in
        guard case .data(let bytes) = value, Inflation.Form(of: bytes) == form else { return 0 }
        // Two bytes can be those of zlib by chance.
        return form == .gzip || isInflatable(bytes) ? 5 : 0
      },
      lines: { value, limit, width in
        let (head, inner, format) = opened(value, form)
        return head + format.lines(inner, limit, width)
      },
      rows: { value, width in
        let (head, inner, format) = opened(value, form)
        var content = format.rows(inner, width)
        content.head = head + content.head
        return content
      },
      compared: { value in
        let (head, inner, format) = opened(value, form)
        return .headed(head, format.compared(inner))
      })
  }

  private static func isInflatable(_ bytes: [UInt8]) -> Bool {
    let start = Inflation(Array(bytes.prefix(4_096)), limit: 4_096)
    return !start.bytes.isEmpty
      && (start.problem == nil || bytes.count > 4_096 && start.problem == "it ends too early")
  }

  private static func opened(
    _ value: StoredValue, _ form: Inflation.Form
  ) -> (head: [ValueLine], inner: StoredValue, format: ValueFormat) {
    let compressed = bytes(of: value)
    let inflation = Inflation(compressed)
    let inner = StoredValue.data(inflation.bytes)
    // Nothing is opened that is compressed once more: that could go on for long.
    let format =
      suitable(for: inner).first { Inflation.Form(rawValue: $0.name) == nil } ?? .hex
    let count = "\(inflation.bytes.count) \(inflation.bytes.count == 1 ? "byte" : "bytes")"
    let size = inflation.isCut ? "the first \(count)" : count
    var head = "\(form.rawValue): \(size) from \(compressed.count), as \(format.name)"
    if let problem = inflation.problem { head += "; damaged: \(problem)" }
    return ([ValueLine([.init(head, .note)])], inner, format)
  }
}
