import Foundation

/// The order in which a store's entries are listed.
///
/// Entries of which a store does not know what they are ordered by come last, whichever way the
/// order goes; those that are equal in it are in the order of their keys.
public struct EntryOrder: Sendable, Hashable {
  /// What entries are ordered by.
  public enum Field: String, Sendable, Hashable, CaseIterable {
    /// Their keys, in the order that the store has them in.
    case key
    /// The size of their values.
    case size
    /// The names of the types of their values.
    case type
    /// When they were last written.
    case modified
    /// Until when their values count.
    case expires
    /// When they were last used.
    case used
    /// How often they were used.
    case hits
    /// How well their keys match the letters that the filter looks for, the best first.
    case match
  }

  /// What one entry is ordered by.
  public enum Rank: Sendable, Hashable {
    /// A number that stands for it.
    case known(Double)
    /// What is not known.
    case unknown
  }

  /// What entries are ordered by.
  public var field: Field
  /// Whether the greatest come first.
  public var isDescending: Bool

  /// The order of the keys.
  public static let key = EntryOrder(.key)

  /// Creates an order.
  public init(_ field: Field, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

extension EntryOrder {
  /// What an entry is ordered by, from what a list says of it.
  ///
  /// Unknown in the order of keys, and in that of matches, which is found from the key and a filter.
  public func rank(of entry: Entry) -> Rank {
    switch field {
    case .key, .match: .unknown
    case .size: Rank(entry.size.map(Double.init))
    case .type: entry.type.map(Self.rank) ?? .unknown
    case .modified: Rank(entry.modified?.timeIntervalSinceReferenceDate)
    case .expires: Rank(entry.expires?.timeIntervalSinceReferenceDate)
    case .used: Rank(entry.lastUsed?.timeIntervalSinceReferenceDate)
    case .hits: Rank(entry.hits.map(Double.init))
    }
  }

  /// What entries with a value of a type are ordered by.
  public static func rank(of type: StoredType) -> Rank { .known(typeRanks[type] ?? 0) }

  private static let typeRanks: [StoredType: Double] = {
    let names = StoredType.allCases.sorted { $0.rawValue < $1.rawValue }
    return Dictionary(uniqueKeysWithValues: zip(names, (0..<names.count).map(Double.init)))
  }()

  /// Whether an entry comes before another one.
  public func precedes(
    _ left: (rank: Rank, key: EntryKey), _ right: (rank: Rank, key: EntryKey)
  ) -> Bool {
    switch (left.rank, right.rank) {
    case (.known(let first), .known(let second)) where first != second:
      return isDescending ? first > second : first < second
    case (.known, .unknown): return true
    case (.unknown, .known): return false
    default:
      let isReversed = field == .key && isDescending
      return isReversed ? right.key < left.key : left.key < right.key
    }
  }

  /// Whether what entries are ordered by is told by a list of them, and not by their keys alone.
  public var needsFacts: Bool { field != .key && field != .match }

  /// The order as a person types it, such as `size down`.
  package var name: String { "\(field.rawValue) \(isDescending ? "down" : "up")" }

  /// The order of a name; nil where there is none.
  package init?(name: String) {
    let words = name.split(separator: " ")
    guard words.count == 2, let field = Field(rawValue: String(words[0])),
      ["up", "down"].contains(words[1])
    else { return nil }
    self.init(field, isDescending: words[1] == "down")
  }

  /// Why a store cannot list its entries in this order, as a sentence; nil where it can.
  public func obstacle(in capabilities: StoreCapabilities) -> String? {
    switch field {
    case .key, .size, .match: nil
    case .type:
      capabilities.contains(.types) ? nil : "the type of a value is not known before it is read"
    case .modified:
      capabilities.isDisjoint(with: [.modified, .ages])
        ? "this store does not keep when entries were written" : nil
    case .expires:
      capabilities.contains(.expiry) ? nil : "this store does not keep until when entries count"
    case .used, .hits:
      capabilities.contains(.uses) ? nil : "this store does not keep what became of entries"
    }
  }
}

extension EntryOrder.Rank {
  fileprivate init(_ number: Double?) {
    self = number.map { .known($0) } ?? .unknown
  }
}
