import LarderModel

/// A decoder of encoded maps and arrays.
protocol MapReader {
  /// The position in the bytes.
  var cursor: ByteCursor { get }
  /// The decoded structure, with the signs that it is not there by chance.
  var evidence: MapEvidence { get set }

  init(cursor: ByteCursor)

  /// Whether bytes may begin such a map or array.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool

  /// Decodes the next value.
  mutating func value() throws(FormatError) -> StoredValue
}

extension MapReader {
  /// Returns the structure in bytes, or nil if they begin with anything else.
  ///
  /// If the bytes are damaged, the structure may have the members before the damage.
  static func read(_ bytes: ArraySlice<UInt8>) -> MapEvidence? {
    guard mayBegin(bytes) else { return nil }
    var reader = Self(cursor: ByteCursor(bytes))
    do throws(FormatError) {
      reader.evidence.structure.value = try reader.value()
      if reader.evidence.structure.problem == nil, reader.cursor.left > 0 {
        throw FormatError.surplusBytes
      }
    } catch {
      reader.evidence.structure.problem = error.reason
    }
    return reader.evidence
  }
}

/// The signs that bytes without a magic number are really encoded maps and arrays.
struct MapEvidence {
  /// The decoded structure.
  var structure: DecodedStructure
  /// Whether all keys of maps are readable text.
  var hasTextKeysOnly = true
  /// Whether all keys of maps are text or integers.
  var hasUsualKeys = true
  /// Whether a map has a key that is readable text.
  var hasTextKey = false
  /// Whether there is text that is not empty and has no control characters.
  var hasText = false

  /// Returns the suitability score for data that may be encoded without a magic number.
  ///
  /// A map or an array without text ranks below the hex dump, since short binary data can be one by
  /// chance. So does one without a text key whose bytes are all printable in some encoding.
  static func score(of value: StoredValue, read: (ArraySlice<UInt8>) -> MapEvidence?) -> Int {
    guard case .data(let bytes) = value, bytes.count <= DecodedStructure.maximumSize,
      let evidence = read(bytes[...]), evidence.structure.problem == nil, evidence.hasUsualKeys
    else { return 0 }
    switch evidence.structure.value {
    case .dictionary(let fields) where !fields.isEmpty: break
    case .array(let values) where values.count > 1: break
    default: return 0
    }
    if evidence.hasTextKey { return evidence.hasTextKeysOnly ? 6 : 5 }
    let hasControls = bytes.contains { $0 < 0x20 && !(0x09...0x0D ~= $0) }
    return evidence.hasText && hasControls ? 5 : 2
  }

  /// Takes a key into account.
  mutating func note(key: StoredValue) {
    switch key {
    case .text(let text) where Self.isReadable(text): hasTextKey = true
    case .text, .integer, .number: hasTextKeysOnly = false
    default: (hasTextKeysOnly, hasUsualKeys) = (false, false)
    }
  }

  /// Takes text into account.
  mutating func note(text: String) {
    hasText = hasText || Self.isReadable(text)
  }

  private static func isReadable(_ text: String) -> Bool {
    !text.isEmpty && Array(text.utf8).plainText != nil
  }
}
