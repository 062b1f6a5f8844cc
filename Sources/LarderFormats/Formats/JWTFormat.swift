import LarderModel

extension ValueFormat {
  /// The header and the payload of a JSON Web Token (RFC 7519), as a structure.
  static let jwt = opening(
    name: "jwt", shows: "JSON Web Tokens",
    suits: { token(in: $0) == nil ? 0 : 4 },
    { value in
      DecodedValue(
        .dictionary(token(in: value) ?? []), head: Messages.jwt)
    })

  /// The maximum size of a token in bytes.
  private static let maximumToken = 1 << 16

  /// Returns the parts of a signed token, or nil if the value is not one.
  private static func token(in value: StoredValue) -> [StoredValue.Field]? {
    guard case .text(let text) = value, text.utf8.count <= maximumToken,
      text.utf8.starts(with: "eyJ".utf8)
    else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let header = object(in: parts[0]), header.contains(where: { $0.name == "alg" }),
      let payload = object(in: parts[1]),
      let signature = Base64Text.decode(parts[2])
    else { return nil }
    return [
      .init("header", .dictionary(header)), .init("payload", .dictionary(payload)),
      .init("signature", .data(signature)),
    ]
  }

  private static func object(in part: Substring.UTF8View) -> [StoredValue.Field]? {
    guard let bytes = Base64Text.decode(part),
      case .dictionary(let fields)? = try? JSONParser.parse(bytes, readsTypes: false)
    else { return nil }
    return fields
  }
}
