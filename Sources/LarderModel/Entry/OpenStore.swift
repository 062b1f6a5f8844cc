/// A location that was opened: what kind of store it is, why, and the collections inside.
public struct OpenStore: Sendable {
  /// What was recognised.
  public let kind: StoreKind
  /// The location, with the collection that was asked for.
  public var location: StoreLocation
  /// The path without links, which tells whether two locations are the same; nil for what is no
  /// file or folder, and another store each time that it is opened.
  public var resolvedPath: String?
  /// What the kind was recognised by, as a sentence.
  public let evidence: String
  /// Why nothing in it can be written, as a clause; nil where something can.
  public let readOnlyReason: String?
  /// The collections in the order of the store; empty where the store is a single one.
  public let collections: [StoreCollection]
  /// Named facts for `larder info`, such as the page size of a database.
  public let facts: [Fact]
  /// Opens one collection, or the whole store for nil, off the calling actor; throws `StoreError`.
  public var store: @Sendable (_ collection: String?) async throws -> Store

  /// A named fact about a store.
  public struct Fact: Sendable, Hashable {
    /// What the fact is about, in a word or two.
    public let name: String
    /// What is so.
    public let text: String
    /// The same in parts, each for a line of its own.
    public let lines: [String]

    /// Creates a fact.
    ///
    /// - Parameters:
    ///   - name: What the fact is about, in a word or two.
    ///   - text: What is so.
    ///   - lines: The same in parts; nil where it is one.
    public init(_ name: String, _ text: String, lines: [String]? = nil) {
      self.name = name
      self.text = text
      self.lines = lines ?? [text]
    }
  }

  /// Describes an opened location.
  public init(
    kind: StoreKind, location: StoreLocation, evidence: String,
    readOnlyReason: String? = nil, collections: [StoreCollection] = [], facts: [Fact] = [],
    store: @escaping @Sendable (_ collection: String?) async throws -> Store
  ) {
    self.kind = kind
    self.location = location
    self.evidence = evidence
    self.readOnlyReason = readOnlyReason
    self.collections = collections
    self.facts = facts
    self.store = store
  }
}

/// A collection of entries inside a store, such as a table.
public struct StoreCollection: Sendable, Hashable {
  /// The name after the `#` of a location.
  public let name: String
  /// What it is in the store's own words, such as "table" or "view".
  public let form: String
  /// Whether its entries can be changed.
  public let isWritable: Bool
  /// What its keys are, such as "id" or "rowid".
  public let keys: String
  /// Why its entries cannot be changed, as a clause, where it is for another reason than that of the
  /// whole store.
  public let readOnlyReason: String?
  /// Where it keeps when its entries expire; nil where it does not, as far as is known.
  public let expiry: CollectionExpiry?

  /// Describes a collection.
  public init(
    name: String, form: String, isWritable: Bool, keys: String, readOnlyReason: String? = nil,
    expiry: CollectionExpiry? = nil
  ) {
    self.expiry = expiry
    self.name = name
    self.form = form
    self.isWritable = isWritable
    self.keys = keys
    self.readOnlyReason = readOnlyReason
  }
}

/// How locations are opened.
public struct OpenOptions: Sendable, Hashable {
  /// Whether nothing may be written, locked for longer than a read, or created beside the store.
  public var isReadOnly: Bool
  /// How long to wait for a store that another process holds, and for each answer of a process.
  public var busyTimeout: Duration
  /// What the user said of where expiry times are.
  public var expiry: ExpiryChoice
  /// Whether the desktop is to ask for the password of a keychain that is locked.
  public var asksToUnlock: Bool
  /// What is set for good of where expiry times are, the first that fits first.
  public var expiryRules: [ExpiryRule]
  /// Whether one collection is going to be opened, and one thing done at a time: where the location
  /// names it, nothing need be known of the others.
  public var opensOneCollection = false
  /// How long after they were written files in folders count; nil where nobody says.
  public var timeToLive: Duration?

  /// Creates options.
  public init(
    isReadOnly: Bool = false, busyTimeout: Duration = .seconds(5),
    expiry: ExpiryChoice = ExpiryChoice(), expiryRules: [ExpiryRule] = [],
    asksToUnlock: Bool = false
  ) {
    self.expiryRules = expiryRules
    self.asksToUnlock = asksToUnlock
    self.expiry = expiry
    self.isReadOnly = isReadOnly
    self.busyTimeout = busyTimeout
  }

  /// What is said of where the expiry times of a store are, and the rule that says so, if it is one.
  ///
  /// - Parameters:
  ///   - paths: The paths that the store has.
  ///   - collection: The collection; nil for the whole store.
  /// - Returns: Both.
  package func expiry(
    of paths: [String], _ collection: String? = nil
  ) -> (choice: ExpiryChoice, rule: ExpiryRule?) {
    // Who says it now means it for now.
    if expiry.isMade { return (expiry, nil) }
    guard let rule = expiryRules.first(where: { $0.isAbout(paths, collection) }) else {
      return (expiry, nil)
    }
    return (rule.choice, rule)
  }
}
