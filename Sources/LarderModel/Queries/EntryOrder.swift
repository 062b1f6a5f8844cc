import Foundation

/// The order in which a store's entries are listed.
///
/// Entries with an unknown rank come last in either direction, and entries with equal ranks are in
/// key order.
public struct EntryOrder: Sendable, Hashable {
  /// The property by which entries are ordered.
  public enum Field: Sendable, Hashable {
    /// The key, in the store's order.
    case key
    /// The size of the value.
    case size
    /// The name of the value's type.
    case type
    /// The time of the last write.
    case modified
    /// The expiry.
    case expires
    /// The time of the last use.
    case used
    /// The number of uses.
    case hits
    /// The quality of the key's match with the fuzzy terms of the filter, the best first.
    case match
    /// A column of the rows, for stores with ``StoreCapabilities/columns``.
    case column(String)
  }

  /// The sort rank of an entry.
  public enum Rank: Sendable, Hashable {
    /// A numeric rank.
    case known(Double)
    /// The value of a column, ordered like a key of the same type.
    case value(EntryKey)
    /// An unknown rank.
    case unknown
  }

  /// The property by which entries are ordered.
  public var field: Field
  /// Whether the order is descending.
  public var isDescending: Bool

  /// The key order.
  public static let key = EntryOrder(.key)

  /// Creates an order.
  public init(_ field: Field, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

extension EntryOrder {
  /// Returns the rank of an entry, based on the data in a list.
  ///
  /// The rank is unknown for the key order, and for the match order, where it depends on the
  /// filter.
  public func rank(of entry: Entry) -> Rank {
    switch field {
    case .key, .match: .unknown
    case .size: Rank(entry.size.map(Double.init))
    case .type: entry.type.map(Self.rank) ?? .unknown
    case .modified: Rank(entry.modified?.timeIntervalSinceReferenceDate)
    case .expires: Rank(entry.expires?.timeIntervalSinceReferenceDate)
    case .used: Rank(entry.lastUsed?.timeIntervalSinceReferenceDate)
    case .hits: Rank(entry.hits.map(Double.init))
    case .column(let name): entry.rank ?? Rank(entry.value?.field(name) ?? .null)
    }
  }

  /// Returns the rank of entries with a value of the given type.
  public static func rank(of type: StoredType) -> Rank { .known(typeRanks[type] ?? 0) }

  private static let typeRanks: [StoredType: Double] = {
    let names = StoredType.allCases.sorted { $0.rawValue < $1.rawValue }
    return Dictionary(uniqueKeysWithValues: zip(names, (0..<names.count).map(Double.init)))
  }()

  /// Whether an entry precedes another.
  public func precedes(
    _ left: (rank: Rank, key: EntryKey), _ right: (rank: Rank, key: EntryKey)
  ) -> Bool {
    switch (left.rank, right.rank) {
    case (.known(let first), .known(let second)) where first != second:
      return isDescending ? first > second : first < second
    case (.value(let first), .value(let second)) where first != second:
      return isDescending ? second < first : first < second
    case (.known, .unknown), (.value, .unknown): return true
    case (.unknown, .known), (.unknown, .value): return false
    default:
      let isReversed = field == .key && isDescending
      return isReversed ? right.key < left.key : left.key < right.key
    }
  }

  /// Whether the order requires more than the keys of the entries.
  public var needsFacts: Bool { field != .key && field != .match }

  /// Whether the order requires the values of the entries.
  package var needsValues: Bool {
    if case .column = field { true } else { false }
  }

  /// The order as entered by the user, such as `size down`.
  package var name: String { "\(field.name) \(isDescending ? "down" : "up")" }

  /// Parses the name of an order, or returns nil if it is invalid.
  package init?(name: String) {
    guard let space = name.lastIndex(of: " "), let field = Field(name: String(name[..<space])),
      [" up", " down"].contains(name[space...])
    else { return nil }
    self.init(field, isDescending: name[space...] == " down")
  }
}

extension EntryOrder.Field {
  /// The fields other than columns, with their names.
  private static let names: [(field: Self, name: String)] = [
    (.key, "key"), (.size, "size"), (.type, "type"), (.modified, "modified"),
    (.expires, "expires"), (.used, "used"), (.hits, "hits"), (.match, "match"),
  ]

  /// The name as entered by the user; the name of a column begins with a colon.
  package var name: String {
    if case .column(let column) = self { return ":" + column }
    return Self.names.first { $0.field == self }?.name ?? ""
  }

  /// The title, which for a column is its name.
  package var title: String {
    if case .column(let name) = self { name } else { name }
  }

  /// Parses the name of a field, or returns nil if it is invalid.
  package init?(name: String) {
    if name.first == ":" {
      self = .column(String(name.dropFirst()))
      return
    }
    guard let field = Self.names.first(where: { $0.name == name })?.field else { return nil }
    self = field
  }
}

extension EntryOrder.Rank {
  fileprivate init(_ number: Double?) {
    self = number.map { .known($0) } ?? .unknown
  }

  /// Creates the rank of a column's value; null is unknown, and long text is truncated.
  package init(_ value: StoredValue) {
    switch value.comparable {
    case .null: self = .unknown
    case .text(let text) where text.utf8.count > Self.maximumLength:
      self = .value(.init(textBytes: text.utf8.prefix(Self.maximumLength)))
    case .malformedText(let bytes):
      self = .value(.malformedText(Array(bytes.prefix(Self.maximumLength))))
    case .bytes(let bytes): self = .value(.bytes(Array(bytes.prefix(Self.maximumLength))))
    case let value: self = .value(value)
    }
  }

  private static let maximumLength = 256
}

extension StoredValue {
  /// The value for comparisons: a whole real is an integer, and a value without an order is null.
  package var comparable: EntryKey {
    switch self {
    case .null, .array, .dictionary, .record: .null
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number): .comparable(number)
    case .number(let digits): .comparable(number: digits) ?? .text(digits)
    case .text(let text), .url(let text): .text(text)
    case .malformedText(let bytes): .malformedText(bytes)
    case .data(let bytes): .bytes(bytes)
    case .date(let date): .comparable(date.timeIntervalSince1970)
    case .uuid(let uuid): .text(uuid.uuidString)
    }
  }
}

extension EntryKey {
  fileprivate static func comparable(_ number: Double) -> EntryKey {
    Int64(exactly: number).map { .integer($0) } ?? .real(number)
  }

  /// Parses a number for comparisons, or returns nil if the text is not one.
  package static func comparable(number text: String) -> EntryKey? {
    if let number = Int64(text) { return .integer(number) }
    let isInfinity = ["inf", "-inf"].contains(text)
    guard isInfinity || text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
      return nil
    }
    return Double(text).map(comparable)
  }
}
