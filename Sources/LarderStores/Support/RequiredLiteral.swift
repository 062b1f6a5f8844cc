/// A literal string that every match of a regular expression contains.
///
/// Searching for it first is much faster than matching the expression, and rules out most texts.
struct RequiredLiteral {
  /// The longest required literal, or empty if none is known.
  private(set) var bytes: [UInt8] = []
  private var run: [UInt8] = []

  /// Finds the literal in an expression.
  ///
  /// Only simple syntax is analyzed; the rest is assumed to require nothing.
  init(of expression: String) {
    let pattern = Array(expression.utf8)
    // With alternatives, nothing is required, and `(?` may change the meaning of letters.
    guard !pattern.contains(UInt8(ascii: "|")), !pattern.contains(Array("(?".utf8)) else { return }
    read(pattern)
    endRun()
  }

  private mutating func read(_ pattern: [UInt8]) {
    var depth = 0
    var place = 0
    while place < pattern.count {
      let byte = pattern[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\\"):
        guard place < pattern.count, let literal = Self.literal(of: pattern[place]) else {
          return
        }
        place += 1
        if let byte = literal.byte, depth == 0 { run.append(byte) } else { endRun() }
      case UInt8(ascii: "["): return
      case UInt8(ascii: "("):
        endRun()
        depth += 1
      case UInt8(ascii: ")"):
        endRun()
        depth -= 1
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
        // The preceding character is optional.
        _ = run.popLast()
        endRun()
        if byte == UInt8(ascii: "{") {
          guard let end = pattern[place...].firstIndex(of: UInt8(ascii: "}")) else { return }
          place = end + 1
        }
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"), 0x80...:
        endRun()
      default:
        if depth == 0 { run.append(byte) }
      }
    }
  }

  private mutating func endRun() {
    if run.count > bytes.count { bytes = run }
    run = []
  }

  /// Returns the literal byte for an escaped character, if any, or nil if the escape may be longer
  /// than one character.
  private static func literal(of byte: UInt8) -> (byte: UInt8?, Void)? {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: (byte, ())
    default: "dDwWsSbBAZzhHvVtnrf".utf8.contains(byte) ? (nil, ()) : nil
    }
  }
}
