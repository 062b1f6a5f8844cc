public import Foundation

/// One entry of a store: its key, its value and what the store knows about it.
///
/// An entry that is a key alone, as in a list of keys, takes no memory but the key's.
public struct Entry: Sendable, Hashable {
  /// The key, as typed in the store.
  public var key: EntryKey
  private var details: Details?

  /// Everything but the key, shared by copies until one of them changes it.
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
    var size: Int?
    var modified: Date?
    var expires: Date?
    var digest = Digest.none
    var form: String?
    var loss: String?
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

  /// Where the fingerprint is to be had.
  fileprivate enum Digest: Sendable {
    case none
    /// From the value, when somebody asks: most entries are read and never compared.
    case ofValue
    case known(Fingerprint)
  }

  /// Creates an entry with a whole value, whose type and fingerprint follow from it.
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

  /// Creates an entry that names a key, with what is known of the value without reading it.
  public init(
    key: EntryKey, preview: StoredValue? = nil, type: StoredType? = nil, size: Int? = nil,
    modified: Date? = nil, expires: Date? = nil
  ) {
    self.key = key
    details = Details(
      Facts(value: preview, type: type, size: size, modified: modified, expires: expires))
  }

  /// Creates an entry that is a key alone.
  public init(key: EntryKey) {
    self.key = key
    details = nil
  }

  /// The value; absent in a list of keys, cut in a list with previews.
  public var value: StoredValue? {
    get { details?.facts.value }
    set {
      change {
        // The fingerprint is that of the value as it was stored.
        if case .ofValue = $0.digest { $0.digest = $0.fingerprint.map { .known($0) } ?? .none }
        $0.value = newValue
      }
    }
  }

  /// Whether `value` is all of what the store holds.
  public var isWhole: Bool {
    get { details?.facts.isWhole ?? false }
    set { change { $0.isWhole = newValue } }
  }

  /// The type of the whole value, where it is known without reading it.
  public var type: StoredType? {
    get { details?.facts.type }
    set { change { $0.type = newValue } }
  }

  /// What is there instead of a value, as the store calls it, such as `link`; nil where there is one.
  public var specialType: String? {
    get { details?.facts.specialType }
    set { change { $0.specialType = newValue } }
  }

  /// The size of the whole stored value in bytes, where it is known.
  public var size: Int? {
    get { details?.facts.size }
    set { change { $0.size = newValue } }
  }

  /// When the value was last written, where the store knows.
  public var modified: Date? {
    get { details?.facts.modified }
    set { change { $0.modified = newValue } }
  }

  /// When the value expires, where the store knows.
  public var expires: Date? {
    get { details?.facts.expires }
    set { change { $0.expires = newValue } }
  }

  /// The digest of the stored bytes and types, where the whole value was read; made again from the
  /// value each time, unless it was set.
  public var fingerprint: Fingerprint? {
    get { details?.facts.fingerprint }
    set { change { $0.digest = newValue.map { .known($0) } ?? .none } }
  }

  /// The fingerprint, where it is not that of the value alone: the store spells the value, or keeps
  /// it, in another way than it would a new one.
  package var ownFingerprint: Fingerprint? {
    guard let details, case .known(let fingerprint) = details.facts.digest,
      let value = details.facts.value, fingerprint != Fingerprint(of: value)
    else { return nil }
    return fingerprint
  }

  /// Whether the store holds a value under the key, however it spells or keeps it.
  package func holds(_ value: StoredValue) -> Bool {
    isWhole && self.value?.isEqualButForDigits(to: value) == true
      || fingerprint == Fingerprint(of: value)
  }

  /// The store's own word for how it keeps the value, where a new entry of this value would be kept
  /// in another way.
  ///
  /// It is `long` for a small number in Android's preferences, and for a file what it is beside its
  /// contents, as in `mode 644 group 33 owner 1000 modified 1700000000.000000000`.
  public var form: String? {
    get { details?.facts.form }
    set { change { $0.form = newValue } }
  }

  /// Why an entry of this value and form would not be all that this one is, as a clause; nil where
  /// it would.
  ///
  /// It is `it has several names (hard links)` for such a file.
  public var loss: String? {
    get { details?.facts.loss }
    set { change { $0.loss = newValue } }
  }

  /// How often a cache has answered with the value, where it is one and knows.
  public var hits: Int? {
    get { details?.facts.hits }
    set { change { $0.hits = newValue } }
  }

  /// What the entry was ordered by in a list in the order of a column, which the list does not hold.
  package var rank: EntryOrder.Rank? {
    get { details?.facts.rank }
    set { change { $0.rank = newValue } }
  }

  /// When a cache last answered with the value, where it is one and knows.
  public var lastUsed: Date? {
    get { details?.facts.lastUsed }
    set { change { $0.lastUsed = newValue } }
  }

  private mutating func change(_ body: (inout Facts) -> Void) {
    var facts = details?.facts ?? Facts()
    body(&facts)
    details = Details(facts)
  }

  /// Whether both entries have the same key and the same is known of both.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key
      && (left.details === right.details
        || (left.details?.facts ?? Facts()) == (right.details?.facts ?? Facts()))
  }

  /// Feeds the key and what is known to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(details?.facts ?? Facts())
  }
}

extension StoredValue {
  /// The number of bytes that the value's contents take, without any encoding around them.
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
    // The names of columns are stored once for all rows.
    case .record(let fields): fields.reduce(0) { $0 + $1.value.storedSize }
    }
  }
}

extension Entry.Facts: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.value == right.value && left.isWhole == right.isWhole && left.type == right.type
      && left.specialType == right.specialType && left.size == right.size
      && left.modified == right.modified && left.expires == right.expires
      && left.form == right.form && left.loss == right.loss && left.hits == right.hits
      && left.lastUsed == right.lastUsed && left.hasFingerprint(of: right)
  }

  /// Whether the fingerprints are the same, where the values are.
  private func hasFingerprint(of other: Self) -> Bool {
    if case (.ofValue, .ofValue) = (digest, other.digest) { return true }
    return fingerprint == other.fingerprint
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(isWhole)
    hasher.combine(type)
    hasher.combine(specialType)
    hasher.combine(size)
    hasher.combine(modified)
    hasher.combine(expires)
    hasher.combine(form)
    hasher.combine(loss)
    hasher.combine(hits)
    hasher.combine(lastUsed)
  }
}
