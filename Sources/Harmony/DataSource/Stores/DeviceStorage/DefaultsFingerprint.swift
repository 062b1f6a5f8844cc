import Foundation

/// A number that tells whether two sets of defaults hold the same, for this process only.
///
/// It takes less memory than the values, which may be as many as fit in a file.
struct DefaultsFingerprint: Equatable {
  private var sum = 0

  /// Takes the fingerprint of values as `UserDefaults` or a property list have them.
  ///
  /// - Parameter values: The values; there is none if one of them is nothing that defaults hold.
  init?(_ values: [String: Any]) {
    for (key, value) in values {
      guard let value = DefaultsValue(any: value) else { return nil }
      // A sum, as nobody knows the order of the keys.
      sum &+= Self.hash(key, value)
    }
  }

  private static func hash(_ key: String, _ value: DefaultsValue) -> Int {
    var hasher = Hasher()
    feed(key, to: &hasher)
    feed(value, to: &hasher)
    return hasher.finalize()
  }

  private static func feed(_ text: String, to hasher: inout Hasher) {
    // Spellings that Swift takes for one are two.
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  private static func feed(_ value: DefaultsValue, to hasher: inout Hasher) {
    switch value {
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value): hasher.combine(value)
    // A file that is read again tells no types of numbers.
    case .double(let value): feed(number: value, to: &hasher)
    case .float(let value): feed(number: Double(value), to: &hasher)
    case .string(let value): feed(value, to: &hasher)
    case .data(let value): hasher.combine(value)
    case .date(let seconds): hasher.combine(seconds)
    case .url(let text, let base):
      feed(text, to: &hasher)
      feed(base ?? "", to: &hasher)
    case .array(let values):
      hasher.combine(values.count)
      for value in values { feed(value, to: &hasher) }
    case .dictionary(let values):
      hasher.combine(values.reduce(0) { $0 &+ hash($1.key, $1.value) })
    }
  }

  private static func feed(number: Double, to hasher: inout Hasher) {
    if let integer = Int64(exactly: number) {
      hasher.combine(integer)
    } else {
      hasher.combine(number.bitPattern)
    }
  }
}
