/// A literal that a text must contain to match a regular expression.
package enum RequiredLiteral {
  /// Returns the longest literal before the first construct that is not analyzed, such as a group,
  /// or an empty one if there is none.
  package static func bytes(of expression: String) -> [UInt8] {
    let all = Array(expression.utf8)
    // With alternatives, nothing is required, and `(?` may change the meaning of letters.
    guard !all.contains(UInt8(ascii: "|")), !all.holds("(?") else { return [] }
    var runs: [[UInt8]] = []
    var run: [UInt8] = []
    for byte in all {
      switch Unicode.Scalar(byte) {
      case "(", ")", "[", "\\", "{", "*", "?", ".", "^", "$", "+", "\u{80}"...:
        // The character before these may be missing.
        if "{*?".utf8.contains(byte) { _ = run.popLast() }
        runs.append(run)
        run = []
      default: run.append(byte)
      }
      if "()[\\{".utf8.contains(byte) { break }
    }
    return (runs + [run]).max { $0.count < $1.count } ?? []
  }
}
