/// Parses JSON into values, preserving the order of members and duplicate names.
///
/// Numbers become integers if they are whole and in range, and reals otherwise; a number that would
/// be written differently is stored as its digits. The notation of ``JSONText`` for types that JSON
/// does not have is converted back to those types. Nesting is limited, so that hostile input cannot
/// exhaust the stack.
package struct JSONParser {
  /// A syntax error and its position.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let problem: SyntaxProblem
    /// The line number, starting at 1.
    package let line: Int
    /// The column in bytes, starting at 1.
    package let column: Int

    /// The problem in words.
    package var reason: String { problem.rawValue }

    /// The problem and its position.
    package var description: String { problem.text(line: line, column: column) }
  }

  private var scanner: JSONScanner
  private var isCancelled: (() -> Bool)?
  /// The number of values parsed.
  private var count = 0

  /// Parses the bytes of a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - readsTypes: Whether to convert objects such as `{"base64": …}` to other types.
  ///   - isTopPlain: Whether to exclude the outermost object from that conversion.
  ///   - isCancelled: Whether to stop early; checked periodically.
  /// - Returns: The value.
  /// - Throws: ``Failure`` with the position of the error, or if the operation was canceled.
  package static func parse(
    _ bytes: some Sequence<UInt8>, readsTypes: Bool = true, isTopPlain: Bool = false,
    isCancelled: (() -> Bool)? = nil
  ) throws(Failure) -> StoredValue {
    var parser = JSONParser(JSONScanner(Array(bytes), isLenient: false))
    parser.isCancelled = isCancelled
    let value = try parser.value()
    try parser.scanner.skipSpace()
    if parser.scanner.next != nil {
      throw parser.scanner.failure(.trailingText)
    }
    return readsTypes ? TypedJSON.typed(value, isPlain: isTopPlain) : value
  }

  /// Creates a parser that continues from the position of a scanner, in the scanner's mode.
  package init(_ scanner: JSONScanner) {
    self.scanner = scanner
  }

  /// Parses the next value.
  ///
  /// Invalid UTF-8 is malformed text in lenient mode, and an error in strict mode.
  package mutating func value() throws(Failure) -> StoredValue {
    count += 1
    if count % 256 == 0, isCancelled?() == true {
      // Determining the position would take as long as the parsing so far.
      throw Failure(problem: .unneeded, line: 0, column: 0)
    }
    try scanner.skipSpace()
    guard let byte = scanner.next else {
      throw scanner.failure(.truncated)
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
      guard byte == UInt8(ascii: "-") else { throw scanner.failure(.valueExpected) }
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
        throw scanner.failure(.nameExpected)
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
      throw scanner.failure(.notUTF8, at: start)
    }
    return text
  }
}
