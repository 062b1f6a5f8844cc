/// The names of files that are being written.
enum TemporaryName {
  private static let start = Array(".larder-".utf8)
  private static let end = Array(".tmp".utf8)

  /// A name that nobody else uses.
  static func make() -> [UInt8] {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return start + Array(String(repeating: "0", count: 16 - digits.count).utf8)
      + Array(digits.utf8) + end
  }

  /// Whether a name is one of these.
  static func isOne(_ name: [UInt8]) -> Bool {
    name.count == start.count + 16 + end.count && name.starts(with: start)
      && name.suffix(end.count) == end[...]
      && name[start.count..<(start.count + 16)].allSatisfy {
        Character(Unicode.Scalar($0)).isHexDigit
      }
  }
}
