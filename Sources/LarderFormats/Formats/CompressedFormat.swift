import LarderModel

extension ValueFormat {
  /// Gzip data, decompressed and shown in the most suitable format.
  package static let gzip = compressed(.gzip)
  /// Zlib data, decompressed and shown in the most suitable format.
  package static let zlib = compressed(.zlib)

  private static func compressed(_ form: Inflation.Form) -> ValueFormat {
    opening(
      name: form.rawValue, shows: "bytes that \(form.rawValue) made",
      suits: { value in
        guard case .data(let bytes) = value, Inflation.Form(of: bytes) == form else { return 0 }
        // A zlib header is only two bytes and can occur by chance.
        return form == .gzip || isInflatable(bytes) ? 5 : 0
      },
      { value in
        let compressed = bytes(of: value)
        let inflation = Inflation(compressed)
        let count = OpenedValue.bytes(inflation.bytes.count)
        return OpenedValue(
          form.rawValue, inflation.bytes, size: inflation.isCut ? "the first \(count)" : count,
          from: compressed.count, problem: inflation.problem,
          except: ["gzip", "zlib", "base64", "jwt"])
      })
  }

  private static func isInflatable(_ bytes: [UInt8]) -> Bool {
    let start = Inflation(Array(bytes.prefix(4_096)), limit: 4_096)
    return !start.bytes.isEmpty
      && (start.problem == nil || bytes.count > 4_096 && start.problem == "it ends too early")
  }
}
