package import LarderModel

/// A deletion of all entries whose keys begin with a text.
///
/// First the text is typed, while what it would delete is counted; then the number has to be typed,
/// so that no key that was pressed for something else deletes anything.
package struct PrefixDeletionModel: Sendable, Equatable {
  /// What there is under a prefix.
  package struct Match: Sendable, Equatable {
    /// The number of entries.
    package var count: Int
    /// The first few keys.
    package var examples: [EntryKey]

    package init(count: Int, examples: [EntryKey]) {
      self.count = count
      self.examples = examples
    }
  }

  /// How a deletion ended.
  package enum Outcome: Sendable, Equatable {
    /// So many entries were deleted.
    case deleted(Int)
    /// Nothing was deleted, as there are other entries than were counted.
    case found(Match)
  }

  /// The greatest number of keys that are named in the question.
  package static let exampleCount = 3

  /// The store to delete from.
  package var store: StoreReference
  /// The name of the store.
  package var place: String
  /// How the store's keys are written.
  package var keyStyle: KeyStyle
  /// The text that was taken, once the number is what is typed.
  package var prefix: String?
  /// What the text would delete, once it is counted.
  package var match: Match?
  /// The token of the count.
  package var counting: Int?
  /// Why nothing can be deleted with what is typed.
  package var problem: String?
  /// The token of the deletion, once it is under way.
  package var deleting: Int?

  /// The number of entries in words, with what they are.
  package static func entries(_ count: Int, _ adjective: String = "") -> String {
    "\(Thousands.text(count)) \(adjective.isEmpty ? "" : adjective + " ")\(count == 1 ? "entry" : "entries")"
  }

  /// The first keys that would go, as a list.
  var examples: String {
    guard let match else { return "" }
    return Self.list(match.examples, keyStyle, count: match.count)
  }

  /// The first of some keys as a list.
  static func list(_ keys: [EntryKey], _ style: KeyStyle, count: Int? = nil) -> String {
    let shown = keys.prefix(exampleCount)
    let names = shown.map { $0.shown(style) }.joined(separator: ", ")
    return count ?? keys.count > shown.count ? "\(names), …" : names
  }
}
