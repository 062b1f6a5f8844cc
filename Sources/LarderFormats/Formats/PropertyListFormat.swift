import LarderModel
import LarderDocuments

extension ValueFormat {
  /// A binary or XML property list; a keyed archive is shown unarchived.
  package static let plist = ValueFormat(
    name: "plist", shows: "property lists of up to 1 MiB",
    looksInside: true,
    suits: { value in
      let isOne =
        switch value {
        case .data(let bytes): looksLikeList(bytes)
        case .text(let text): looksLikeList(text.utf8)
        default: false
        }
      return isOne && decoded(bytes(of: value)) != nil ? 5 : 0
    },
    lines: { value, limit, width in
      decoded(bytes(of: value)).map { json.lines($0, limit, width) } ?? []
    },
    rows: { value, width in
      ValueContent(.tree(ValueTree(decoded(bytes(of: value)) ?? value, width: width)))
    },
    compared: { .structure(decoded(bytes(of: $0)) ?? $0) })

  /// The maximum size, in bytes, of a property list that is parsed.
  private static let maximumList = 1 << 20

  static func looksLikeList(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= maximumList else { return false }
    return bytes.starts(with: "bplist00".utf8)
      || bytes.first == UInt8(ascii: "<") && bytes.prefix(1_024).contains("<plist".utf8)
  }

  private static func decoded(_ bytes: [UInt8]) -> StoredValue? {
    if let archived = KeyedArchive.decode(bytes) { return archived }
    return (try? PropertyListDocument(parsing: bytes)).flatMap { try? $0.value(at: []) }
  }
}
