/// Formats integers with a comma as the thousands separator.
package enum Thousands {
  /// Returns the formatted number.
  package static func text(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// Returns the digits of a number entered by the user, without any thousands separators.
  package static func digits(typed text: String) -> String {
    text.filter { !$0.isWhitespace && $0 != "," && $0 != "." && $0 != "'" && $0 != "_" }
  }
}
