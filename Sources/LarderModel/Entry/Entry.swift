public import Foundation

/// An entry of a store: its key, its value and its metadata.
///
/// An entry that consists of a key alone, as in a list of keys, takes no memory beyond the key.
public struct Entry: Sendable, Hashable {
  /// The key, with the type it has in the store.
  public var key: EntryKey
  private var details: Details?

  /// The data other than the key, shared by copies until one of them is mutated.
  private final class Details: Sendable {
    let facts: Facts

    init(_ facts: Facts) {
      self.facts = facts
    }
  }

  fileprivate struct Facts: Sendable {
    var value: StoredValue?
    var isWhole = false
    var type: StoredType?
    var specialType: String?
    var typeName: String?
    var contentType: StoredType?
    var size: Int?
    var modified: Date?
    var expires: Date?
    var digest = Digest.none
    var form: String?
    var loss: String?
    var obstacle: String?
    var editObstacle: String?
    var hits: Int?
    var lastUsed: Date?
    var rank: EntryOrder.Rank?

    var fingerprint: Fingerprint? {
      switch digest {
      case .none: nil
      case .ofValue: value.map { Fingerprint(of: $0) }
      case .known(let fingerprint): fingerprint
      }
    }
  }

  /// The source of the fingerprint.
  fileprivate enum Digest: Sendable {
    case none
    /// Computed from the value on demand, since most entries are read but never compared.
    case ofValue
    case known(Fingerprint)
  }

  /// Creates an entry with a complete value, from which its type and fingerprint are derived.
  public init(
    key: EntryKey, value: StoredValue, size: Int? = nil, modified: Date? = nil,
    expires: Date? = nil, form: String? = nil
  ) {
    self.key = key
    details = Details(
      Facts(
        value: value, isWhole: true, type: value.type, size: size ?? value.storedSize,
        modified: modified, expires: expires, digest: .ofValue, form: form))
  }

  /// Creates an entry with the metadata that is known without reading its value.
  public init(
    key: EntryKey, preview: StoredValue? = nil, type: StoredType? = nil, size: Int? = nil,
    modified: Date? = nil, expires: Date? = nil
  ) {
    self.key = key
    details = Details(
      Facts(value: preview, type: type, size: size, modified: modified, expires: expires))
  }

  /// Creates an entry that consists of a key alone.
  public init(key: EntryKey) {
    self.key = key
    details = nil
  }

  /// The value; absent in a list of keys, truncated in a list with previews.
  public var value: StoredValue? {
    get { details?.facts.value }
    set {
      change {
        // The fingerprint remains that of the value as it was stored.
        if case .ofValue = $0.digest { $0.digest = $0.fingerprint.map { .known($0) } ?? .none }
        $0.value = newValue
      }
    }
  }

  /// Whether `value` is complete.
  public var isWhole: Bool {
    get { details?.facts.isWhole ?? false }
    set { change { $0.isWhole = newValue } }
  }

  /// The type of the complete value, if it is known.
  public var type: StoredType? {
    get { details?.facts.type }
    set { change { $0.type = newValue } }
  }

  /// The store's name for an entry without a value, such as `link`; nil for an ordinary entry.
  public var specialType: String? {
    get { details?.facts.specialType }
    set { change { $0.specialType = newValue } }
  }

  /// The store's own name for the type of the value, such as `zset`; nil if it has none.
  package var typeName: String? {
    get { details?.facts.typeName }
    set { change { $0.typeName = newValue } }
  }

  /// The type of the column with the value, in a row that has one beside others; nil for other
  /// entries, and if it is not known.
  package var contentType: StoredType? {
    get { details?.facts.contentType }
    set { change { $0.contentType = newValue } }
  }

  /// The name of the most specific type that is known for the content, for display.
  package var contentTypeName: String? {
    specialType ?? typeName ?? (contentType ?? type)?.rawValue
  }

  /// The size of the complete stored value in bytes, if it is known.
  public var size: Int? {
    get { details?.facts.size }
    set { change { $0.size = newValue } }
  }

  /// The time of the last write, if the store records it.
  public var modified: Date? {
    get { details?.facts.modified }
    set { change { $0.modified = newValue } }
  }

  /// The expiry, if the store has one.
  public var expires: Date? {
    get { details?.facts.expires }
    set { change { $0.expires = newValue } }
  }

  /// The digest of the stored bytes and types, if the complete value was read.
  ///
  /// It is recomputed from the value on each access unless it was set.
  public var fingerprint: Fingerprint? {
    get { details?.facts.fingerprint }
    set { change { $0.digest = newValue.map { .known($0) } ?? .none } }
  }

  /// The fingerprint, if it differs from that of the value alone because the store spells or
  /// represents the value differently than it would a new one.
  package var ownFingerprint: Fingerprint? {
    guard let details, case .known(let fingerprint) = details.facts.digest,
      let value = details.facts.value, fingerprint != Fingerprint(of: value)
    else { return nil }
    return fingerprint
  }

  /// Whether the entry has the given value, regardless of its spelling or representation.
  package func holds(_ value: StoredValue) -> Bool {
    isWhole && self.value?.isEqualButForDigits(to: value) == true
      || fingerprint == Fingerprint(of: value)
  }

  /// The store's name for the value's storage form, if a new entry with this value would be stored
  /// differently.
  ///
  /// Examples are `long` for a small number in Android preferences, and the metadata of a file,
  /// such as `mode 644 group 33 owner 1000 modified 1700000000.000000000`.
  public var form: String? {
    get { details?.facts.form }
    set { change { $0.form = newValue } }
  }

  /// The reason why a copy of this value and form would be incomplete, as a clause; nil if it would
  /// not.
  ///
  /// An example is `it has several names (hard links)` for such a file.
  public var loss: String? {
    get { details?.facts.loss }
    set { change { $0.loss = newValue } }
  }

  /// The reason why the entry cannot be changed although its store can be, as a clause, if it is known
  /// from reading it.
  ///
  /// An example is a file of a database in a subfolder.
  package var obstacle: String? {
    get { details?.facts.obstacle }
    set { change { $0.obstacle = newValue } }
  }

  /// The reason why no part of the value can be replaced, although the entry can be deleted or renamed,
  /// as a clause.
  package var editObstacle: String? {
    get { details?.facts.editObstacle }
    set { change { $0.editObstacle = newValue } }
  }

  /// The number of times a cache has returned the value, if it records that.
  public var hits: Int? {
    get { details?.facts.hits }
    set { change { $0.hits = newValue } }
  }

  /// The sort rank of the entry in a list ordered by a column that the list does not contain.
  package var rank: EntryOrder.Rank? {
    get { details?.facts.rank }
    set { change { $0.rank = newValue } }
  }

  /// The time at which a cache last returned the value, if it records that.
  public var lastUsed: Date? {
    get { details?.facts.lastUsed }
    set { change { $0.lastUsed = newValue } }
  }

  private mutating func change(_ body: (inout Facts) -> Void) {
    var facts = details?.facts ?? Facts()
    body(&facts)
    details = Details(facts)
  }

  /// Whether both entries have the same key and the same data.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key
      && (left.details === right.details
        || (left.details?.facts ?? Facts()) == (right.details?.facts ?? Facts()))
  }

  /// Feeds the key and the data to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(details?.facts ?? Facts())
  }
}

extension StoredValue {
  /// The size of the value's contents in bytes, without any encoding.
  public var storedSize: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .integer, .real, .date: 8
    case .uuid: 16
    case .text(let text), .url(let text), .number(let text): text.utf8.count
    case .malformedText(let bytes), .data(let bytes): bytes.count
    case .array(let values): values.reduce(0) { $0 + $1.storedSize }
    case .dictionary(let fields):
      fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.storedSize }
    // Column names are stored once for all rows.
    case .record(let fields): fields.reduce(0) { $0 + $1.value.storedSize }
    }
  }
}

extension Entry.Facts: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.value == right.value && left.isWhole == right.isWhole && left.type == right.type
      && left.specialType == right.specialType && left.typeName == right.typeName
      && left.size == right.size
      && left.modified == right.modified && left.expires == right.expires
      && left.form == right.form && left.loss == right.loss && left.hits == right.hits
      && left.lastUsed == right.lastUsed && left.hasFingerprint(of: right)
  }

  /// Whether the fingerprints are equal, given that the values are.
  private func hasFingerprint(of other: Self) -> Bool {
    if case (.ofValue, .ofValue) = (digest, other.digest) { return true }
    return fingerprint == other.fingerprint
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(isWhole)
    hasher.combine(type)
    hasher.combine(specialType)
    hasher.combine(typeName)
    hasher.combine(size)
    hasher.combine(modified)
    hasher.combine(expires)
    hasher.combine(form)
    hasher.combine(loss)
    hasher.combine(hits)
    hasher.combine(lastUsed)
  }
}
