/// Functions that derive keys from identifiers which are the same in every process.
///
/// Equal identifiers of a type have the same key, and different ones have different keys: values
/// inside a structure are written with their types and strings in it are quoted, so that the result
/// is unambiguous.
@usableFromInline
enum StableKey {
  /// Returns the key of an identifier.
  @usableFromInline
  static func text<Value>(of value: Value) -> String {
    if Value.self == String.self, let text = value as? String { return text }
    // The content determines its type, so the type has to be part of the key.
    if Value.self == AnyHashable.self { return StableStructure.part(of: value) }
    guard let optional = value as? any OptionalIdentifier else {
      return StableLeaf(value, isErased: false)?.key ?? StableStructure.text(of: value)
    }
    return optional.wrapped.map { marked(text(ofAny: $0)) } ?? "nil"
  }

  /// Returns the key of an identifier of dynamic type.
  static func text(ofAny value: Any) -> String {
    func key<Value>(_ value: Value) -> String { text(of: value) }
    return _openExistential(value, do: key)
  }

  /// Returns one key for a list of keys; different lists have different keys.
  static func joined(_ keys: [String]) -> String {
    // In other lists, a backslash is always followed by a comma or another backslash.
    if keys.isEmpty { return #"\"# }
    // Compares bytes, because a comma and a following combining accent are one character.
    let (comma, backslash) = (UInt8(ascii: ","), UInt8(ascii: #"\"#))
    var bytes: [UInt8] = []
    for (index, key) in keys.enumerated() {
      if index > 0 { bytes.append(comma) }
      for byte in key.utf8 {
        if byte == comma || byte == backslash { bytes.append(backslash) }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the key of an optional's value, after a question mark if it could be mistaken for nil.
  private static func marked(_ key: String) -> String {
    key.utf8.drop { $0 == UInt8(ascii: "?") }.elementsEqual("nil".utf8) ? "?" + key : key
  }
}

/// An optional of any type.
protocol OptionalIdentifier {
  var wrapped: Any? { get }
}

extension Optional: OptionalIdentifier {
  var wrapped: Any? { map { $0 } }
}
