package import LarderModel

/// What of a value is compared with another one, all of it, whatever is drawn.
package indirect enum ComparedContent: Sendable, Equatable {
  /// Text, line by line.
  case text([UInt8])
  /// Bytes, by their digits.
  case bytes([UInt8])
  /// Columns or members, one a line.
  case fields([StoredValue.Field])
  /// A structure, in the lines of indented JSON.
  case structure(StoredValue)
  /// A value that is one line.
  case scalar(StoredValue)
  /// Lines about what follows them.
  case headed([ValueLine], ComparedContent)

  /// The bytes that are compared by their digits, below whatever is said about them.
  package var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .headed(_, let content): content.bytes
    case .text, .fields, .structure, .scalar: nil
    }
  }
}
