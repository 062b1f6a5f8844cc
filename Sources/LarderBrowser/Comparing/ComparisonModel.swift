package import LarderModel
import Foundation

/// Two values that are looked at side by side.
package struct ComparisonModel: Sendable, Equatable {
  /// What the two are, for the heading.
  package let title: String
  /// The values with what differs.
  package let comparison: ValueComparison
  /// The difference as programs for differences of texts write it.
  let difference: UnifiedDifference
  /// Whether they are the same to the last byte, and kept in the same way.
  package let areSame: Bool
  /// Whether long runs of lines that are the same are one row.
  package internal(set) var isFolded = true
  /// The first row that is shown; nil until the user scrolls, for the first that differs.
  package internal(set) var scroll: Int?
  /// Which of the differences was gone to last.
  package internal(set) var present = 0

  /// Compares two values, which may take a while.
  ///
  /// - Parameters:
  ///   - title: What the two are.
  ///   - left: An entry.
  ///   - right: Another one.
  ///   - isCancelled: Whether nobody waits for it any more, which ends it early.
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

  /// Shows a comparison that was made.
  init(
    title: String, comparison: ValueComparison, difference: UnifiedDifference, areSame: Bool
  ) {
    self.title = title
    self.comparison = comparison
    self.difference = difference
    self.areSame = areSame
  }

  /// How the store keeps the value; when it was changed is no difference of values.
  private static func form(_ entry: Entry) -> String? {
    guard var kept = entry.form?.split(separator: " "), let first = kept.first else { return nil }
    // When a file was changed, and when a cache expires what it has, alone or not.
    let time = first == "mode" ? "modified" : "until"
    guard ["mode", "list", "alone", "until"].contains(first) else { return entry.form }
    if let place = kept.firstIndex(of: Substring(time)) {
      kept.removeSubrange(place..<min(place + 2, kept.count))
    }
    kept.removeAll { $0 == "alone" }
    return kept.isEmpty ? nil : kept.joined(separator: " ")
  }

  private static func name(_ side: (name: String, entry: Entry)) -> String {
    guard let type = side.entry.type?.rawValue else { return "\(side.name) · no entry" }
    guard let size = side.entry.size else { return "\(side.name) · \(type)" }
    return "\(side.name) · \(type) · \(size) \(size == 1 ? "byte" : "bytes")"
  }
}

/// What is to be compared.
package struct CompareOrder: Sendable, Equatable {
  /// An entry of an open store.
  package struct Place: Sendable, Equatable {
    package var store: StoreReference
    package var key: Key
    /// The name of the store, where it is another one than is shown.
    package var name: String?

    package init(store: StoreReference, key: Key, name: String? = nil) {
      self.store = store
      self.key = key
      self.name = name
    }

    /// A key, or the text of one, which means what it does in the store.
    package enum Key: Sendable, Equatable {
      case known(EntryKey)
      case typed(String)
    }
  }

  /// What an entry is compared with.
  package enum Other: Sendable, Equatable {
    /// The first of several entries that is there.
    case first([Place])
    /// The same entry in another store, where either may be missing.
    case counterpart(Place)
    /// What it was before its last change in the journal.
    case before
    /// The backing store of the cache: that of larder over the store, or the store itself, which is one.
    case backing(ofOwn: Bool)
  }

  package var place: Place
  package var other: Other

  package init(place: Place, other: Other) {
    self.place = place
    self.other = other
  }
}
