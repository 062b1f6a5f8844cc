package import LarderModel

/// The full content of a value, prepared for comparison and independent of what is on screen.
package indirect enum ComparedContent: Sendable, Equatable {
  /// Text, compared line by line.
  case text([UInt8])
  /// Bytes, compared as a hex dump.
  case bytes([UInt8])
  /// Columns or members, one per line.
  case fields([StoredValue.Field])
  /// A structure, compared as lines of indented JSON.
  case structure(StoredValue)
  /// A value on a single line.
  case scalar(StoredValue)
  /// Heading lines followed by the content.
  case headed([ValueLine], ComparedContent)

  /// The bytes that are compared as a hex dump, below any heading.
  package var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .headed(_, let content): content.bytes
    case .text, .fields, .structure, .scalar: nil
    }
  }
}
