/// Converts digits in another radix to a decimal number of any size.
struct DecimalDigits {
  /// The maximum number of digits to convert, since the time grows with their square.
  static let maximum = 1_000

  /// Groups of nine decimal digits, the least significant first.
  private var groups: [UInt64] = [0]

  /// Creates a number from digits, the most significant first, each less than the radix.
  init(_ digits: some Sequence<UInt8>, radix: UInt64) {
    for digit in digits { add(digit, radix: radix) }
  }

  /// Multiplies the number by a radix and adds a digit.
  mutating func add(_ digit: UInt8, radix: UInt64) {
    var carry = UInt64(digit)
    for index in groups.indices {
      carry += groups[index] * radix
      groups[index] = carry % 1_000_000_000
      carry /= 1_000_000_000
    }
    if carry > 0 { groups.append(carry) }
  }

  /// The number in decimal.
  var text: String {
    groups.dropLast().reversed().reduce(String(groups.last ?? 0)) { text, group in
      text + String(group + 1_000_000_000).dropFirst()
    }
  }
}
