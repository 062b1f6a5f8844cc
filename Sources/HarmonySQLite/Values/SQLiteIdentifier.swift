/// Functions that quote the names of tables, columns and collations, which can be any string.
public enum SQLiteIdentifier {
  /// Returns the name in double quotes, with quotes inside it doubled.
  public static func quoted(_ name: String) -> String {
    // Most names contain no quotes and are copied as a whole.
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
