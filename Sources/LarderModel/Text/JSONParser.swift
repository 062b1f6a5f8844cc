/// Reads JSON into values, keeping the order and the repetition of names.
///
/// Whole numbers that fit become integers, others reals; a number that would be written in other
/// digits than these is kept as it is. The forms that ``JSONText`` writes
/// for types that JSON does not have are read back as those types. Depth is bounded, so that
/// hostile input cannot exhaust the stack.
package struct JSONParser {
  /// What is wrong with a text that is not JSON, and where.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found or is missing.
    package let reason: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int

    /// The reason with its place.
    package var description: String { "\(reason) at line \(line), column \(column)" }
  }

  /// The reason where a text, or in the lenient form a name, is no text.
  package static let notText = "a text is not UTF-8"

  /// The reason where nobody waits for the value any more.
  private static let cancelled = "it is not needed any more"

  private var scanner: JSONScanner
  private var isCancelled: (() -> Bool)?
  /// How many values were read.
  private var count = 0

  /// Reads one value from the bytes of a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - readsTypes: Whether objects such as `{"base64": …}` stand for other types.
  ///   - isTopPlain: Whether the outermost object is one whatever it looks like.
  ///   - isCancelled: Whether nobody waits for the value any more; asked now and then.
  /// - Returns: The value.
  /// - Throws: What is not JSON about the text, and where, or that nobody waits for it.
  package static func parse(
    _ bytes: some Sequence<UInt8>, readsTypes: Bool = true, isTopPlain: Bool = false,
    isCancelled: (() -> Bool)? = nil
  ) throws(Failure) -> StoredValue {
    var parser = JSONParser(JSONScanner(Array(bytes), isLenient: false))
    parser.isCancelled = isCancelled
    let value = try parser.value()
    try parser.scanner.skipSpace()
    if parser.scanner.next != nil {
      throw parser.scanner.failure("something follows the value")
    }
    return readsTypes ? TypedJSON.typed(value, isPlain: isTopPlain) : value
  }

  /// Reads from where a scanner is, as strictly as it does.
  package init(_ scanner: JSONScanner) {
    self.scanner = scanner
  }

  /// Reads the next value.
  ///
  /// Text that is not UTF-8 is malformed text in the lenient form, and an error in the strict one.
  package mutating func value() throws(Failure) -> StoredValue {
    count += 1
    if count % 256 == 0, isCancelled?() == true {
      // Its place would take as long to be found as all that was read.
      throw Failure(reason: Self.cancelled, line: 0, column: 0)
    }
    try scanner.skipSpace()
    guard let byte = scanner.next else {
      throw scanner.failure("the text ends where a value should be")
    }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return try text()
    case UInt8(ascii: "t") where scanner.skip("true"): return .bool(true)
    case UInt8(ascii: "f") where scanner.skip("false"): return .bool(false)
    case UInt8(ascii: "n") where scanner.skip("null"): return .null
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      if let number = scanner.nonFinite() { return .real(number) }
      guard byte == UInt8(ascii: "-") else { throw scanner.failure("a value should be here") }
      return try number()
    }
  }

  private mutating func number() throws(Failure) -> StoredValue {
    let digits = try scanner.number()
    return StoredValue(digits: String(decoding: scanner.bytes[digits], as: UTF8.self))
  }

  private mutating func text() throws(Failure) -> StoredValue {
    scanner.isLenient ? StoredValue(textBytes: try scanner.text()) : .text(try string())
  }

  private mutating func array() throws(Failure) -> StoredValue {
    try scanner.enter()
    var values: [StoredValue] = []
    while try !scanner.closes(with: UInt8(ascii: "]"), isFirst: values.isEmpty) {
      values.append(try value())
    }
    return .array(values)
  }

  private mutating func object() throws(Failure) -> StoredValue {
    try scanner.enter()
    var fields: [StoredValue.Field] = []
    while try !scanner.closes(with: UInt8(ascii: "}"), isFirst: fields.isEmpty) {
      guard scanner.next == UInt8(ascii: "\"") else {
        throw scanner.failure("a name in quotes should be here")
      }
      let name = try string()
      try scanner.skipColon()
      fields.append(StoredValue.Field(name, try value()))
    }
    return .dictionary(fields)
  }

  private mutating func string() throws(Failure) -> String {
    let start = scanner.place
    guard let text = String(validating: try scanner.text(), as: UTF8.self) else {
      throw scanner.failure(Self.notText, at: start)
    }
    return text
  }
}
