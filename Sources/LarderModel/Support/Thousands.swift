/// Whole numbers with a comma between thousands.
package enum Thousands {
  /// The digits of a number.
  package static func text(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// The digits of a number that somebody has typed, with whatever is typed between thousands.
  package static func digits(typed text: String) -> String {
    text.filter { !$0.isWhitespace && $0 != "," && $0 != "." && $0 != "'" && $0 != "_" }
  }
}
