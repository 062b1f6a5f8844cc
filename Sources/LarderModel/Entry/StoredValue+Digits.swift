extension StoredValue {
  /// Whether both values are equal except for the spelling of numbers, such as the digits 2.50 and
  /// the real 2.5.
  package func isEqualButForDigits(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.number(let digits), .real(let number)), (.real(let number), .number(let digits)):
      DecimalNumber.real(of: digits)?.bitPattern == number.bitPattern
    case (.array(let own), .array(let other)):
      own.count == other.count && zip(own, other).allSatisfy { $0.isEqualButForDigits(to: $1) }
    case (.dictionary(let own), .dictionary(let other)), (.record(let own), .record(let other)):
      own.count == other.count
        && zip(own, other).allSatisfy { own, other in
          own.name.hasBytes(of: other.name) && own.value.isEqualButForDigits(to: other.value)
        }
    default: self == other
    }
  }
}
