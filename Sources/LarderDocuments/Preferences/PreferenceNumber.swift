import LarderModel

/// The numbers and Booleans in preferences, as Java reads and writes them.
enum PreferenceNumber {
  /// Parses the text of an element; returns nil if it is not valid for the type.
  static func value(_ text: String, _ type: PreferenceType) -> StoredValue? {
    switch type {
    case .boolean:
      switch text.lowercased() {
      case "true": .bool(true)
      case "false": .bool(false)
      default: nil
      }
    case .int: Int32(text).map { .integer(Int64($0)) }
    case .long: Int64(text).map(StoredValue.integer)
    case .float: float(text)
    case .string, .set, .null: nil
    }
  }

  /// Parses a float: as a real if Java would write it so, otherwise as its digits.
  private static func float(_ text: String) -> StoredValue? {
    guard let number = number(text) else { return nil }
    if JavaFloat.text(of: number) == text || !number.isFinite && text.contains("n") {
      return StoredValue(number)
    }
    guard let value = try? JSONParser.parse(text.utf8), case .number = value, value.type == .real
    else { return StoredValue(number) }
    return value
  }

  private static func number(_ text: String) -> Float? {
    switch text {
    case "NaN": return .nan
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      // Java spells the special values differently and parses hexadecimal digits by other rules.
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
      return Float(text)
    }
  }

  /// Returns the text of a number or a Boolean for an element.
  ///
  /// - Throws: ``DocumentError`` if the type cannot hold the value.
  static func text(of value: StoredValue, _ type: PreferenceType) throws(DocumentError) -> String {
    switch (type, value) {
    case (.boolean, .bool(let flag)): return flag ? "true" : "false"
    case (.int, _), (.long, _): return String(try whole(value, type))
    case (.float, _): return JavaFloat.text(of: try single(value))
    default: throw DocumentError.misfit(type.rawValue)
    }
  }

  /// Returns the number of an int or a long.
  ///
  /// - Throws: ``DocumentError`` if the type cannot hold the value.
  static func whole(_ value: StoredValue, _ type: PreferenceType) throws(DocumentError) -> Int64 {
    switch value {
    case .integer(let number):
      guard type == .long || Int32(exactly: number) != nil else {
        throw DocumentError.hugeInt
      }
      return number
    case .number, .real:
      throw DocumentError.notWhole(isInt: type == .int)
    default: throw DocumentError.misfit(type.rawValue)
    }
  }

  /// Returns a number as a 32-bit float.
  ///
  /// - Throws: ``DocumentError`` if it is neither a float nor the shortest decimal form of one.
  static func single(_ value: StoredValue) throws(DocumentError) -> Float {
    let (number, digits): (Double, String?)
    switch value {
    case .real(let real): (number, digits) = (real, nil)
    case .integer(let whole): (number, digits) = (Double(whole), String(whole))
    case .number(let text): (number, digits) = (Double(text) ?? .nan, text)
    default: throw DocumentError.misfit("float")
    }
    let nearest = Float(number)
    let isExact =
      digits.flatMap(Int64.init).map { Int64(exactly: nearest) == $0 }
      ?? (number.isNaN || Double(nearest) == number || Double(nearest.description) == number)
    guard isExact else {
      throw DocumentError.inexactFloat(JavaFloat.text(of: nearest))
    }
    return nearest
  }
}

/// Formatting of floats as Java's `Float.toString` does it.
enum JavaFloat {
  /// Returns the decimal text: plain from 0.001 up to ten million, otherwise with an exponent.
  static func text(of number: Float) -> String {
    guard number.isFinite else {
      return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }
    guard number != 0 else { return number.sign == .minus ? "-0.0" : "0.0" }
    let (digits, exponent) = decimal(of: number.magnitude)
    let sign = number < 0 ? "-" : ""
    // `exponent` is the power of ten of the first digit.
    if -3...6 ~= exponent {
      if exponent < 0 {
        return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
      }
      let padded = digits + String(repeating: "0", count: max(0, exponent + 2 - digits.count))
      let split = padded.index(padded.startIndex, offsetBy: exponent + 1)
      return sign + padded[..<split] + "." + padded[split...]
    }
    let rest = digits.dropFirst()
    return sign + digits.prefix(1) + "." + (rest.isEmpty ? "0" : rest) + "E\(exponent)"
  }

  /// Returns the shortest digits that identify the number, and the power of ten of the first digit.
  private static func decimal(of number: Float) -> (digits: String, exponent: Int) {
    let parts = number.description.split(separator: "e")
    let mantissa = parts.first ?? "0"
    let point = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = point.first ?? "0"
    let all = point.joined()
    let zeros = all.prefix { $0 == "0" }.count
    var digits = all.dropFirst(zeros)
    while digits.count > 1, digits.hasSuffix("0") { digits = digits.dropLast() }
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return (String(digits), whole.count - 1 - zeros + exponent)
  }
}
