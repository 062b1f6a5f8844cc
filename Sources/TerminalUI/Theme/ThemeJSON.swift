/// A value of a theme file with its position.
struct ThemeJSON: Hashable {
  /// The types of values.
  enum Value: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([ThemeJSON])
    case object([Member])
  }

  /// A name and its value.
  struct Member: Hashable {
    var name: String
    var position: ThemeFilePosition
    var value: ThemeJSON
  }

  /// The value.
  var value: Value
  /// The position of the value.
  var position: ThemeFilePosition

  /// The type of the value with its article, for messages.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: Messages.bool
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A syntax error in a theme file.
struct ThemeSyntaxError: Error {
  var position: ThemeFilePosition
  var message: String
}

/// A parser for JSON (RFC 8259) that records positions for messages.
struct ThemeJSONParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private static let deepest = 32

  /// Parses a whole file.
  static func parse(_ text: String) throws(ThemeSyntaxError) -> ThemeJSON {
    var parser = ThemeJSONParser(scalars: Array(text.unicodeScalars))
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.next == nil else { throw parser.error(Messages.textAfterEnd) }
    return value
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private var position: ThemeFilePosition {
    ThemeFilePosition(line: line, column: index - lineStart + 1)
  }

  private func error(_ message: String) -> ThemeSyntaxError {
    ThemeSyntaxError(position: position, message: message)
  }

  /// The next character, for messages.
  private var found: String {
    next.map { "not \"\(Sanitizer.display(String($0)))\"" } ?? Messages.endOfFile
  }

  private mutating func skipBlanks() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n" {
      index += 1
      if scalar == "\n" {
        line += 1
        lineStart = index
      }
    }
  }

  private mutating func value(depth: Int) throws(ThemeSyntaxError) -> ThemeJSON {
    skipBlanks()
    let position = position
    guard depth < Self.deepest else { throw error(Messages.deepNesting) }
    let value: ThemeJSON.Value
    switch next {
    case "{": value = try .object(members(depth: depth))
    case "[": value = try .array(elements(depth: depth))
    case "\"": value = try .string(string())
    case .some("-"), .some("0"..."9"): value = try .number(number())
    case .some("a"..."z"): value = try word()
    default: throw error(Messages.expected("a value", found))
    }
    return ThemeJSON(value: value, position: position)
  }

  private mutating func members(depth: Int) throws(ThemeSyntaxError) -> [ThemeJSON.Member] {
    index += 1
    var members: [ThemeJSON.Member] = []
    var names: Set<String> = []
    skipBlanks()
    while next != "}" || !members.isEmpty {
      skipBlanks()
      let position = position
      guard next == "\"" else { throw error(Messages.expected(Messages.nameInQuotes, found)) }
      let name = try string()
      guard names.insert(name).inserted else {
        throw ThemeSyntaxError(position: position, message: Messages.repeated(name))
      }
      skipBlanks()
      guard next == ":" else { throw error(Messages.expected("a \":\"", found)) }
      index += 1
      let value = try value(depth: depth + 1)
      members.append(ThemeJSON.Member(name: name, position: position, value: value))
      skipBlanks()
      guard next == "," else { break }
      index += 1
    }
    guard next == "}" else { throw error(Messages.expected("a \",\" or \"}\"", found)) }
    index += 1
    return members
  }

  private mutating func elements(depth: Int) throws(ThemeSyntaxError) -> [ThemeJSON] {
    index += 1
    var elements: [ThemeJSON] = []
    skipBlanks()
    while next != "]" || !elements.isEmpty {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      guard next == "," else { break }
      index += 1
    }
    guard next == "]" else { throw error(Messages.expected("a \",\" or \"]\"", found)) }
    index += 1
    return elements
  }

  private mutating func string() throws(ThemeSyntaxError) -> String {
    index += 1
    var text = ""
    while let scalar = next, scalar != "\"" {
      guard scalar.value >= 0x20 else { throw error(Messages.lineEndInString) }
      index += 1
      if scalar == "\\" {
        text.unicodeScalars.append(try escape())
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    guard next == "\"" else { throw error(Messages.openString) }
    index += 1
    return text
  }

  private mutating func escape() throws(ThemeSyntaxError) -> Unicode.Scalar {
    let known: [Unicode.Scalar: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r",
      "t": "\t",
    ]
    guard let letter = next else { throw error(Messages.openString) }
    if let scalar = known[letter] {
      index += 1
      return scalar
    }
    guard letter == "u" else { throw error(Messages.unknownEscape(letter)) }
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, next == "\\", index + 1 < scalars.count, scalars[index + 1] == "u" else {
      throw error(Messages.loneSurrogate)
    }
    index += 1
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error(Messages.loneSurrogate) }
    return scalar
  }

  /// Parses the four digits after `u`.
  private mutating func hexadecimal() throws(ThemeSyntaxError) -> UInt32 {
    index += 1
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
        throw error(Messages.shortEscape)
      }
      number = number << 4 | UInt32(digit)
      index += 1
    }
    return number
  }

  private mutating func number() throws(ThemeSyntaxError) -> Double {
    var text = ""
    while let scalar = next, "+-.eE0123456789".unicodeScalars.contains(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil,
      let number = Double(text), number.isFinite
    else {
      throw error(Messages.notNumber(text))
    }
    return number
  }

  private mutating func word() throws(ThemeSyntaxError) -> ThemeJSON.Value {
    let start = position
    var text = ""
    while let scalar = next, ("a"..."z").contains(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: throw ThemeSyntaxError(position: start, message: Messages.unquoted(text))
    }
  }
}
