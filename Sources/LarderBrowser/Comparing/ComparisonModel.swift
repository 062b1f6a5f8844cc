package import LarderModel
import Foundation

/// A comparison of two values side by side.
package struct ComparisonModel: Sendable, Equatable {
  /// The heading.
  package let title: String
  /// The compared lines.
  package let comparison: ValueComparison
  /// The difference in unified format.
  let difference: UnifiedDifference
  /// Whether the values and their stored forms are identical.
  package let areSame: Bool
  /// Whether long runs of equal lines are folded into one row.
  package internal(set) var isFolded = true
  /// The index of the first visible row, or `nil` to show the first difference.
  package internal(set) var scroll: Int?
  /// The index of the current difference.
  package internal(set) var present = 0

  /// Compares two entries, which may take a while.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - left: The first entry.
  ///   - right: The second entry.
  ///   - isCancelled: Returns whether to end the comparison early because its result is not needed.
  init(
    title: String, _ left: (name: String, entry: Entry), _ right: (name: String, entry: Entry),
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.title = title
    let (first, second) = (left.entry.value, right.entry.value)
    let names = ValueComparison.Names.two(Self.name(left), Self.name(right))
    let forms = (Self.form(left.entry), Self.form(right.entry))
    comparison = ValueComparison(
      first, second, names: names, forms: forms, isCancelled: isCancelled)
    difference = UnifiedDifference(
      first ?? .text(""), second ?? .text(""), names: names, isCancelled: isCancelled)
    areSame = first == second && forms.0 == forms.1
  }

  /// Creates a model of a finished comparison.
  init(
    title: String, comparison: ValueComparison, difference: UnifiedDifference, areSame: Bool
  ) {
    self.title = title
    self.comparison = comparison
    self.difference = difference
    self.areSame = areSame
  }

  /// Returns the stored form of an entry without its dates, which do not make values different.
  private static func form(_ entry: Entry) -> String? {
    guard var kept = entry.form?.split(separator: " "), let first = kept.first else { return nil }
    // Ignore the modification date of a file, and the expiry in a cache with its `alone` flag.
    let time = first == "mode" ? "modified" : "until"
    guard ["mode", "list", "alone", "until"].contains(first) else { return entry.form }
    if let place = kept.firstIndex(of: Substring(time)) {
      kept.removeSubrange(place..<min(place + 2, kept.count))
    }
    kept.removeAll { $0 == "alone" }
    return kept.isEmpty ? nil : kept.joined(separator: " ")
  }

  private static func name(_ side: (name: String, entry: Entry)) -> String {
    Messages.side(
      side.name, type: side.entry.type?.rawValue,
      size: side.entry.type == nil ? nil : side.entry.size)
  }
}

/// A request to compare two entries.
package struct CompareOrder: Sendable, Equatable {
  /// An entry of an open store.
  package struct Place: Sendable, Equatable {
    package var store: StoreReference
    package var key: Key
    /// The name of the store, unless it is the current one.
    package var name: String?

    package init(store: StoreReference, key: Key, name: String? = nil) {
      self.store = store
      self.key = key
      self.name = name
    }

    /// A key, or the text of a key that is parsed in the style of its store.
    package enum Key: Sendable, Equatable {
      case known(EntryKey)
      case typed(String)
    }
  }

  /// The other side of a comparison.
  package enum Other: Sendable, Equatable {
    /// The first of several entries that exists.
    case first([Place])
    /// The same entry in another store, where either of the two may be missing.
    case counterpart(Place)
    /// The version before the last change in the journal.
    case before
    /// The version in the backing store, of larder's own cache or of a store that is itself a
    /// cache.
    case backing(ofOwn: Bool)
  }

  package var place: Place
  package var other: Other

  package init(place: Place, other: Other) {
    self.place = place
    self.other = other
  }
}
