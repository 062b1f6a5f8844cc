import Foundation
package import LarderModel

/// The meaning of a column's values, as far as its name tells.
package enum ColumnMeaning {
  /// The words of names of columns with times.
  private static let times: Set<String> = [
    "at", "created", "updated", "modified", "changed", "deleted", "accessed", "visited", "seen",
    "used", "expires", "expiry", "expiration", "expired", "date", "time", "timestamp", "ctime",
    "mtime", "atime", "when", "since", "until",
  ]
  /// The words of names of columns with UUIDs.
  private static let ids: Set<String> = ["id", "uuid", "guid", "identifier"]

  private static func words(of name: String) -> [String] {
    // Core Data puts a Z before each name, all in capitals.
    let isCoreData = name.hasPrefix("Z") && name == name.uppercased()
    let name = isCoreData ? String(name.dropFirst()).lowercased() : name
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      let isSeparator = !character.isLetter && !character.isNumber
      if isSeparator || wasLower && character.isUppercase {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if !isSeparator { word.append(character) }
      wasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    // Names in capitals have no other sign of where a word begins.
    let endings = isCoreData ? ["date", "time", "uuid"].filter { name.hasSuffix($0) } : []
    return words + endings
  }

  /// Returns a number as the date that it most likely denotes, or sixteen bytes as a UUID.
  ///
  /// - Parameters:
  ///   - value: The value of the column.
  ///   - column: The name, such as `created_at`, `lastUsed` or `ZUUID`.
  /// - Returns: The text, or nil if the value has another meaning or the name tells nothing.
  package static func text(of value: StoredValue, in column: String) -> String? {
    let date: Date?
    switch value {
    case .integer(let number): date = Epoch.date(of: number)
    case .real(let number): date = Epoch.date(of: number)
    case .data(let bytes):
      guard let uuid = UUID(bytes: bytes), words(of: column).contains(where: ids.contains) else {
        return nil
      }
      return uuid.uuidString
    default: return nil
    }
    guard let date, words(of: column).contains(where: times.contains) else { return nil }
    let text = Timestamp.secondText(of: date)
    return text.hasSuffix("Z") ? String(text.dropLast()).replacing("T", with: " ") : text
  }
}
