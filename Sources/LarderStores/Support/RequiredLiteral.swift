/// A literal string that every match of a regular expression contains.
///
/// Searching for it first is much faster than matching the expression, and rules out most texts.
struct RequiredLiteral {
  /// The longest required literal, or empty if none is known.
  var bytes: [UInt8] { runs.max { $0.count < $1.count } ?? [] }
  /// The bytes that follow each other in every match.
  private var runs: [[UInt8]] = []

  /// Finds the literal in an expression.
  ///
  /// Only simple syntax is analyzed; the rest is assumed to require nothing.
  init(of expression: String) {
    // With alternatives, nothing is required, and `(?` may change the meaning of letters.
    guard !expression.utf8.contains(UInt8(ascii: "|")), !Array(expression.utf8).holds("(?") else {
      return
    }
    var rest = Array(expression.utf8)[...]
    var run: [UInt8] = []
    var depth = 0
    defer { runs.append(run) }
    func endRun() {
      runs.append(run)
      run = []
    }
    while let byte = rest.popFirst() {
      switch Unicode.Scalar(byte) {
      case "\\":
        guard let escaped = rest.popFirst() else { return }
        switch escaped {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
          if depth == 0 { run.append(escaped) } else { endRun() }
        case _ where "dDwWsSbBAZzhHvVtnrf".utf8.contains(escaped): endRun()
        // The escape may be longer than one character.
        default: return
        }
      case "[": return
      case "(", ")":
        endRun()
        depth += byte == UInt8(ascii: "(") ? 1 : -1
      case "*", "?", "{":
        // The preceding character is optional.
        _ = run.popLast()
        endRun()
        if byte == UInt8(ascii: "{") {
          guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return }
          rest = rest[(end + 1)...]
        }
      case "+", ".", "^", "$", "\u{80}"...: endRun()
      default: if depth == 0 { run.append(byte) }
      }
    }
  }
}
