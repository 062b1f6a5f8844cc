import Foundation

/// The order in which a store's entries are listed.
///
/// Entries of which a store does not know what they are ordered by come last, whichever way the
/// order goes; those that are equal in it are in the order of their keys.
public struct EntryOrder: Sendable, Hashable {
  /// What entries are ordered by.
  public enum Field: Sendable, Hashable {
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
    /// A column of the rows, of meaning where the store can do ``StoreCapabilities/columns``.
    case column(String)
  }

  /// What one entry is ordered by.
  public enum Rank: Sendable, Hashable {
    /// A number that stands for it.
    case known(Double)
    /// The value of a column, in the order that keys of its type are in.
    case value(EntryKey)
    /// What is not known.
    case unknown
  }

  /// What entries are ordered by.
  public var field: Field
  /// Whether the largest come first.
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
    case .column(let name): entry.rank ?? Rank(entry.value?.field(name) ?? .null)
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
    case (.value(let first), .value(let second)) where first != second:
      return isDescending ? second < first : first < second
    case (.known, .unknown), (.value, .unknown): return true
    case (.unknown, .known), (.unknown, .value): return false
    default:
      let isReversed = field == .key && isDescending
      return isReversed ? right.key < left.key : left.key < right.key
    }
  }

  /// Whether what entries are ordered by is told by a list of them, and not by their keys alone.
  public var needsFacts: Bool { field != .key && field != .match }

  /// Whether it is told by their values alone.
  package var needsValues: Bool {
    if case .column = field { true } else { false }
  }

  /// The order as a user types it, such as `size down`.
  package var name: String { "\(field.name) \(isDescending ? "down" : "up")" }

  /// The order of a name; nil where there is none.
  package init?(name: String) {
    guard let space = name.lastIndex(of: " "), let field = Field(name: String(name[..<space])),
      [" up", " down"].contains(name[space...])
    else { return nil }
    self.init(field, isDescending: name[space...] == " down")
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
      capabilities.contains(.expiry) ? nil : "this store has no expiry"
    case .used, .hits:
      capabilities.contains(.uses) ? nil : "not recorded by this store"
    case .column:
      capabilities.contains(.columns) ? nil : "the entries of this store are not rows with columns"
    }
  }
}

extension EntryOrder.Field {
  /// The fields that are no columns, and how they are called.
  private static let names: [(field: Self, name: String)] = [
    (.key, "key"), (.size, "size"), (.type, "type"), (.modified, "modified"),
    (.expires, "expires"), (.used, "used"), (.hits, "hits"), (.match, "match"),
  ]

  /// The name as it is typed; that of a column begins with a colon.
  package var name: String {
    if case .column(let column) = self { return ":" + column }
    return Self.names.first { $0.field == self }?.name ?? ""
  }

  /// The title: for a column, its name.
  package var title: String {
    if case .column(let name) = self { name } else { name }
  }

  /// The field of a name; nil where there is none.
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

  /// The rank of a column's value: NULL is unknown, and of long texts the beginning counts.
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
  /// The value as it is compared with others: a real that is whole is the integer, and what has no
  /// order is NULL.
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

  /// The number that a text reads as; nil where it is none.
  package static func comparable(number text: String) -> EntryKey? {
    if let number = Int64(text) { return .integer(number) }
    let isInfinity = ["inf", "-inf"].contains(text)
    guard isInfinity || text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
      return nil
    }
    return Double(text).map(comparable)
  }
}
