import LarderModel

extension JSONDocument {
  package func spelling(at path: [DocumentStep]) -> [UInt8]? {
    guard let range = range(at: path), bytes[range].contains(UInt8(ascii: "\\")) else {
      return nil
    }
    var scanner = JSONScanner(bytes, at: range.lowerBound, isLenient: true)
    var spelling: [UInt8] = []
    var count = 0
    while scanner.place < range.upperBound, (try? scanner.skipSpace()) != nil,
      scanner.place < range.upperBound
    {
      guard scanner.next == UInt8(ascii: "\"") else {
        scanner.place += 1
        continue
      }
      let start = scanner.place
      guard let text = try? scanner.text() else { break }
      let written = bytes[start..<scanner.place]
      if written.contains(UInt8(ascii: "\\")), !Self.isUsual(written, StoredValue(textBytes: text))
      {
        // The index is included because the same spelling of another string is a different detail.
        spelling += "\(count):".utf8 + written
      }
      count += 1
    }
    return spelling.isEmpty ? nil : spelling
  }

  /// Whether a string in quotes is spelled as larder would write it.
  private static func isUsual(_ written: ArraySlice<UInt8>, _ value: StoredValue) -> Bool {
    var writer = JSONWriter(style: JSONStyle(), allowsNonFinite: false)
    guard (try? writer.write(value, indent: [])) != nil else { return false }
    return writer.bytes.elementsEqual(written)
  }
}
