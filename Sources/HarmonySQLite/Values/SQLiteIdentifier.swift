/// The name of a table, column or collation, quoted so that any text can be one.
public enum SQLiteIdentifier {
  /// The name in double quotes, with the quotes inside doubled.
  public static func quoted(_ name: String) -> String {
    // Most have none, and these are copied as a whole.
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
