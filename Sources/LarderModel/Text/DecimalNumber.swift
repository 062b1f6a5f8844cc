/// The number that digits with a point or an exponent stand for, however they are spelled.
package struct DecimalNumber: Equatable {
  private let isNegative: Bool
  /// The digits between the first and the last that are not 0; none for 0.
  private let digits: [UInt8]
  /// By what power of ten the first of them counts, 0 where there are none.
  private let exponent: Int

  /// Reads digits; nil where their exponent is none.
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

  /// The real of 64 bits that digits are; nil where they are none, or 64 bits do not keep the number.
  package static func real(of digits: String) -> Double? {
    guard let number = Double(digits), number.isFinite, let decimal = DecimalNumber(digits),
      decimal == DecimalNumber(number.description)
    else { return nil }
    return number
  }
}
