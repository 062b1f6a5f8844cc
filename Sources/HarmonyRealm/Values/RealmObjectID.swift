/// An identifier of 12 bytes.
public struct RealmObjectID: Sendable, Hashable, CustomStringConvertible {
  /// The bytes in the order of the description.
  public let bytes: [UInt8]

  /// Creates an identifier from 12 bytes; nil for any other number.
  public init?(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == 12 else { return nil }
  }

  /// Creates an identifier from 24 hexadecimal digits; nil for any other string.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 24 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 24, by: 2) {
      guard let high = Character(UnicodeScalar(digits[place])).hexDigitValue,
        let low = Character(UnicodeScalar(digits[place + 1])).hexDigitValue
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.bytes = bytes
  }

  /// The identifier as 24 hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
