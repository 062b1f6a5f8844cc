/// Turns identifiers into keys that are the same in every process.
///
/// Equal identifiers of one type have one key, and others another: what stands inside a structure
/// says of what type it is, and texts in it are quoted, so that nothing can pass for anything else.
@usableFromInline
enum StableKey {
  /// The key of an identifier.
  @usableFromInline
  static func text<Value>(of value: Value) -> String {
    if Value.self == String.self, let text = value as? String { return text }
    // What it holds decides on its type, which has to be written down then.
    if Value.self == AnyHashable.self { return StableStructure.part(of: value) }
    guard let optional = value as? any OptionalIdentifier else {
      return StableLeaf(value, isErased: false)?.key ?? StableStructure.text(of: value)
    }
    return optional.wrapped.map { marked(text(ofAny: $0)) } ?? "nil"
  }

  /// The key of an identifier whose type only it knows itself.
  static func text(ofAny value: Any) -> String {
    func key<Value>(_ value: Value) -> String { text(of: value) }
    return _openExistential(value, do: key)
  }

  /// One key for a list of keys, different for different lists.
  static func joined(_ keys: [String]) -> String {
    // Behind a backslash of any other list is a comma or a second one.
    if keys.isEmpty { return #"\"# }
    // By bytes: a comma and an accent are one character, which is none of those looked for.
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

  /// The key of what is there where nothing could be: one that reads as if nothing were there gets a
  /// question mark.
  private static func marked(_ key: String) -> String {
    key.utf8.drop { $0 == UInt8(ascii: "?") }.elementsEqual("nil".utf8) ? "?" + key : key
  }
}

/// A value that may be missing, whatever its type.
protocol OptionalIdentifier {
  var wrapped: Any? { get }
}

extension Optional: OptionalIdentifier {
  var wrapped: Any? { map { $0 } }
}
