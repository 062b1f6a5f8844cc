package import LarderModel

/// The result of examining a whole value: the formats that can show it, and the content that they
/// decoded.
package struct ValueReading: Sendable, Equatable {
  /// The names of the formats that can show the value, the most suitable first.
  package let formats: [String]
  /// The content decoded by the formats that look inside the value, by format name.
  package let contents: [String: ComparedContent]

  /// Examines a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isCancelled: Whether to stop early, in which case the initializer returns nil.
  package init?(_ value: StoredValue, isCancelled: @escaping () -> Bool = { false }) {
    let structure = ValueFormat.structure(in: value, isCancelled: isCancelled)
    if isCancelled() { return nil }
    var contents: [String: ComparedContent] = [:]
    if let structure { contents[ValueFormat.json.name] = .structure(structure) }
    let suitable = ValueFormat.suitable(for: value, isJSON: structure != nil)
    for format in suitable where format.looksInside && contents[format.name] == nil {
      contents[format.name] = format.compared(value)
      if isCancelled() { return nil }
    }
    formats = suitable.map(\.name)
    self.contents = contents
  }
}

extension ValueFormat {
  /// The maximum number of bytes that are examined while the screen waits, at roughly 0.1 µs a
  /// byte.
  package static let maximumAtOnce = 16 << 10

  /// Whether examining the value takes noticeable time.
  package static func isSlowToRead(_ value: StoredValue) -> Bool {
    switch value {
    case .text(let text):
      text.utf8.count > maximumAtOnce
        && (mayHoldStructure(text.utf8) || Base64Text.mayBegin(text.utf8)
          || FlutterValue.mayBegin(text))
    case .malformedText(let bytes): bytes.count > maximumAtOnce && mayHoldObjects(bytes)
    case .data(let bytes):
      bytes.count > maximumAtOnce
        && (mayHoldStructure(bytes) || Base64Text.mayBegin(bytes) || JavaStream.mayBegin(bytes)
          || mayHoldMap(bytes))
        || isSlowToDecompress(bytes)
    default: false
    }
  }

  private static func mayHoldStructure(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    looksLikeList(bytes) || bytes.count <= maximumStructure && beginsStructure(bytes)
      || mayHoldObjects(bytes)
  }

  /// Whether bytes begin like serialized objects.
  private static func mayHoldObjects(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    PickleReader.mayBegin(bytes) || PHPReader.mayBegin(bytes) || MarshalReader.mayBegin(bytes)
  }

  /// Whether bytes begin like a map or a message without a magic number.
  private static func mayHoldMap(_ bytes: [UInt8]) -> Bool {
    bytes.count <= DecodedStructure.maximumSize
      && (MessagePackReader.mayBegin(bytes) || CBORReader.mayBegin(bytes)
        || ProtobufMessage.mayBegin(bytes[...]))
  }

  /// Whether bytes that may be compressed are long or expand to many.
  private static func isSlowToDecompress(_ bytes: [UInt8]) -> Bool {
    let start = Array(bytes.prefix(4_096))
    return Codec.candidates(for: bytes).contains { codec in
      let result = Decompression(start, as: codec, limit: maximumAtOnce)
      return result.isCut
        || bytes.count > start.count && result.problem == FormatError.endsEarly.reason
    }
  }

  /// Returns the formats that can show a value without examining all of it.
  package static func suitableAtOnce(for value: StoredValue) -> [ValueFormat] {
    suitable(for: value, among: all.filter { !$0.looksInside })
  }
}

extension StoredValue {
  /// Whether the value and its members together exceed a number of bytes; stops once they do.
  package func isLarger(than limit: Int) -> Bool {
    var left = limit
    return !takes(from: &left)
  }

  /// Subtracts the size of the value from a budget, and returns false if it is exhausted.
  private func takes(from left: inout Int) -> Bool {
    left -= 16
    switch self {
    case .text(let text), .url(let text), .number(let text): left -= text.utf8.count
    case .data(let bytes), .malformedText(let bytes): left -= bytes.count
    case .array(let values):
      for value in values where left >= 0 { _ = value.takes(from: &left) }
    case .dictionary(let fields), .record(let fields):
      for field in fields where left >= 0 {
        left -= field.name.utf8.count
        _ = field.value.takes(from: &left)
      }
    default: break
    }
    return left >= 0
  }
}
