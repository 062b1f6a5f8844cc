/// The exact value of a decimal number, independent of its spelling.
package struct DecimalNumber: Equatable {
  private let isNegative: Bool
  /// The digits from the first to the last nonzero one; empty for zero.
  private let digits: [UInt8]
  /// The number of digits before the decimal point, relative to `digits`; 0 for zero.
  private let exponent: Int

  /// Parses a number, or returns nil if its exponent is invalid.
  package init?(_ text: String) {
    let parts = text.utf8.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "eE".utf8.contains($0) })
    guard let mantissa = parts.first,
      let power = parts.count > 1 ? Int(Substring(parts[1])) : 0
    else { return nil }
    isNegative = mantissa.first == UInt8(ascii: "-")
    let unsigned = mantissa.drop { "+-".utf8.contains($0) }
    let whole = unsigned.prefix { $0 != UInt8(ascii: ".") }
    let all = Array(whole) + unsigned.dropFirst(whole.count + 1)
    guard let first = all.firstIndex(where: { $0 != UInt8(ascii: "0") }),
      let last = all.lastIndex(where: { $0 != UInt8(ascii: "0") })
    else {
      (digits, exponent) = ([], 0)
      return
    }
    digits = Array(all[first...last])
    let (sum, isTooGreat) = power.addingReportingOverflow(whole.count - first)
    guard !isTooGreat else { return nil }
    exponent = sum
  }

  /// Returns the number as a real if it can be represented without loss, and nil otherwise.
  package static func real(of digits: String) -> Double? {
    guard let number = Double(digits), number.isFinite, let decimal = DecimalNumber(digits),
      decimal == DecimalNumber(number.description)
    else { return nil }
    return number
  }
}
