/// The user's choice of the columns that are the keys of a table's rows.
public enum KeyChoice: Sendable, Hashable {
  /// The key that larder recognizes.
  case recognized
  /// The columns of a unique index, separated by commas.
  case columns(String)
  /// The primary key or the rowid, with rows as they are in the table.
  case raw

  /// Returns which of some keys the user chose, comparing names without regard to case and, if
  /// necessary, to their order.
  ///
  /// - Parameter keys: The columns of each possible key.
  /// - Returns: The index of the key; nil if there is none, or no columns were chosen.
  package func index(in keys: [[String]]) -> Int? {
    guard case .columns(let text) = self else { return nil }
    let wanted = Self.parts(text)
    return keys.firstIndex { $0.joined(separator: ",").lowercased() == text.lowercased() }
      ?? keys.firstIndex { $0.map { $0.lowercased() } == wanted }
      ?? keys.firstIndex { $0.map { $0.lowercased() }.sorted() == wanted.sorted() }
  }

  private static func parts(_ text: String) -> [String] {
    text.lowercased().split(separator: ",").map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the error that names the possible keys of a table.
  ///
  /// - Parameters:
  ///   - keys: The columns of each possible key.
  ///   - place: The table.
  /// - Returns: The error; nil if the choice is one of the keys.
  package func refusal(in keys: [[String]], of place: String) -> StoreError? {
    guard case .columns(let text) = self, index(in: keys) == nil else { return nil }
    return .notUnique(text, in: place, keys: keys.map { $0.joined(separator: ",") })
  }
}

extension KeyChoice {
  /// The choice as it is stored: the columns, or an empty string for the raw table; nil for the key
  /// that larder recognizes.
  package var text: String? {
    switch self {
    case .recognized: nil
    case .columns(let text): text
    case .raw: ""
    }
  }

  /// Creates a choice from its stored text.
  package init(text: String?) {
    self = text.map { $0.isEmpty ? .raw : .columns($0) } ?? .recognized
  }
}
