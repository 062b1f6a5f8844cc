import LarderModel

extension ValueFormat {
  /// Base64 text, decoded and shown in the most suitable format.
  ///
  /// It ranks first if it decodes to a structure, compressed data or an image, and after plain text
  /// otherwise.
  package static let base64 = opening(
    name: "base64", shows: "text in Base64",
    suits: { value in
      guard let text = Base64Text(value), let decoded = text.decoded else { return 0 }
      // A short word could decode to something without a header by chance.
      let formats =
        [json, plist, image, java, pickle, marshal]
        + (text.isSure ? compressed : compressedWithHeader)
      if !suitable(for: .data(decoded), among: formats).isEmpty
        || php.suits(.data(decoded)) > 2
      {
        return 4
      }
      return text.isSure || Base64Text.isReadable(decoded) ? 2 : 0
    },
    { value in
      DecodedValue(
        "base64", Base64Text(value)?.decoded ?? [], from: bytes(of: value).count,
        except: ["base64", "jwt"])
    })
}
