import LarderModel

extension ValueFormat {
  /// The lists and numbers that Flutter's `shared_preferences` stores as text on Android.
  static let flutter = opening(
    name: "flutter", shows: "lists and numbers in Flutter's preferences on Android",
    suits: { value in FlutterValue(value) == nil ? 0 : 5 },
    preview: { value in FlutterValue(value)?.value ?? value },
    { value in
      guard let decoded = FlutterValue(value) else {
        return DecodedValue(value, head: "flutter: damaged", as: .text)
      }
      if case .array = decoded.value {
        return DecodedValue(decoded.value, head: Messages.flutter(decoded.kind))
      }
      return DecodedValue(decoded.value, head: Messages.flutter(decoded.kind), as: .text)
    })
}

/// A list or number that Flutter's `shared_preferences` stores as text behind a prefix, since
/// Android's preferences have no such types.
struct FlutterValue {
  /// Base64 of “This is the prefix for a list.”, “… BigInteger” and “… Double.”.
  private static let list = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu"
  private static let bigInteger = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBCaWdJbnRlZ2Vy"
  private static let double = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBEb3VibGUu"

  /// The decoded value.
  let value: StoredValue
  let kind: Kind

  /// The kind of value and its encoding.
  enum Kind: CaseIterable {
    case double, bigInteger, list, javaList
  }

  /// Decodes a stored value, or returns nil if it is not one of these.
  init?(_ stored: StoredValue) {
    guard case .text(let text) = stored, Self.mayBegin(text),
      text.utf8.count <= DecodedStructure.maximumSize
    else { return nil }
    if let digits = Self.rest(of: text, after: Self.double) {
      guard let number = Double(digits) else { return nil }
      (value, kind) = (.real(number), .double)
    } else if let digits = Self.rest(of: text, after: Self.bigInteger) {
      guard let number = Self.integer(digits) else { return nil }
      (value, kind) = (StoredValue(digits: number), .bigInteger)
    } else if let list = Self.rest(of: text, after: Self.list + "!") {
      guard case .array(let items)? = try? JSONParser.parse(list.utf8, readsTypes: false),
        items.allSatisfy({ $0.type == .text })
      else { return nil }
      (value, kind) = (.array(items), .list)
    } else if let list = Self.rest(of: text, after: Self.list) {
      guard let bytes = Base64Text.decode(list.utf8), let items = JavaStream(bytes).strings else {
        return nil
      }
      (value, kind) = (.array(items.map(StoredValue.text)), .javaList)
    } else {
      return nil
    }
  }

  /// Whether text begins as all of the prefixes do.
  static func mayBegin(_ text: String) -> Bool {
    text.utf8.starts(with: "VGhpcyBpcyB0aGUgcHJlZml4IGZvciB".utf8)
  }

  private static func rest(of text: String, after prefix: String) -> Substring? {
    text.utf8.starts(with: prefix.utf8)
      ? Substring(text.utf8.dropFirst(prefix.utf8.count)) : nil
  }

  /// Returns the decimal digits of a number in base 36.
  private static func integer(_ text: Substring) -> String? {
    let isNegative = text.first == "-"
    let digits = text.dropFirst(isNegative ? 1 : 0)
    guard 1...DecimalDigits.maximum ~= digits.utf8.count else { return nil }
    let numbers = digits.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 36) }
    guard numbers.count == digits.utf8.count else { return nil }
    return (isNegative ? "-" : "") + DecimalDigits(numbers, radix: 36).text
  }
}
