import Foundation

/// Turns identifiers into keys that are the same in every process.
@usableFromInline
enum StableKey {
  /// The key of an identifier.
  @usableFromInline
  static func text<Value>(of value: Value) -> String {
    if let text = value as? String { return text }
    return describe(value, nested: false)
  }

  /// One key for a list of keys, different for different lists.
  static func joined(_ keys: [String]) -> String {
    keys.map { key in
      key.contains { $0 == "," || $0 == "\\" }
        ? key.replacing("\\", with: "\\\\").replacing(",", with: "\\,") : key
    }
    .joined(separator: ",")
  }

  private static func describe(_ value: Any, nested: Bool) -> String {
    switch value {
    // Inside a structure text is quoted, so that its commas cannot pass for the structure's.
    case let value as String: nested ? value.debugDescription : value
    case let value as UUID: value.uuidString
    case let value as URL: value.absoluteString
    case let value as Date: value.timeIntervalSinceReferenceDate.description
    // Its description is only its length.
    case let value as Data: value.base64EncodedString()
    case let value as AnyHashable where !(value.base is AnyHashable): describe(value.base, nested)
    case let value as any RawRepresentable: describe(value.rawValue, nested: nested)
    case let value as any LosslessStringConvertible: value.description
    default: describeStructure(value)
    }
  }

  private static func describe(_ value: Any, _ nested: Bool) -> String {
    describe(value, nested: nested)
  }

  /// Sets and dictionaries are sorted, because their own order is seeded per process.
  private static func describeStructure(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { child in
      let text = describe(child.value, nested: true)
      guard mirror.displayStyle != .collection, let label = child.label else { return text }
      return "\(label): \(text)"
    }
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { describe($0.value, nested: true) } ?? "nil"
    case .collection: return "[\(parts.joined(separator: ", "))]"
    case .set, .dictionary:
      let texts = mirror.children.map { describe($0.value, nested: true) }
      return "{\(texts.sorted().joined(separator: ", "))}"
    case .tuple: return "(\(parts.joined(separator: ", ")))"
    case .enum where parts.isEmpty: return "\(value)"
    default:
      if parts.isEmpty, let value = value as? any CustomStringConvertible {
        return value.description
      }
      return "\(type(of: value))(\(parts.joined(separator: ", ")))"
    }
  }
}
