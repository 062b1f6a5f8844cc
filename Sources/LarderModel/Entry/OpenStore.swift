/// An opened location: the detected kind of store, the evidence for it, and the collections inside.
public struct OpenStore: Sendable {
  /// The detected kind.
  public let kind: StoreKind
  /// The location, including the requested collection.
  public var location: StoreLocation
  /// The path with symbolic links resolved, which identifies the location.
  ///
  /// It is nil for stores that are neither files nor folders and are distinct each time they are
  /// opened.
  public var resolvedPath: String?
  /// The evidence for the kind, as a sentence.
  public let evidence: String
  /// The reason why the whole store is read-only, as a clause; nil if something can be written.
  public let readOnlyReason: String?
  /// The collections in the order of the store; empty if the store consists of a single one.
  public let collections: [StoreCollection]
  /// Facts for `larder info`, such as the page size of a database.
  public let facts: [Fact]
  /// Opens one collection, or the whole store for nil, by a key that the user chose.
  package var opening: Opening

  /// A closure that opens a collection by a key, off the calling actor; it throws ``StoreError``.
  package typealias Opening =
    @Sendable (_ collection: String?, _ key: KeyChoice?) async throws -> Store

  /// A named fact about a store.
  public struct Fact: Sendable, Hashable {
    /// A short name for the fact.
    public let name: String
    /// The fact itself.
    public let text: String
    /// The text split into one line per part.
    public let lines: [String]

    /// Creates a fact.
    ///
    /// - Parameters:
    ///   - name: A short name for the fact.
    ///   - text: The fact itself.
    ///   - lines: The text split into lines; nil if it is a single line.
    public init(_ name: String, _ text: String, lines: [String]? = nil) {
      self.name = name
      self.text = text
      self.lines = lines ?? [text]
    }
  }

  /// Creates an opened location whose collections have keys that the user can choose.
  package init(
    kind: StoreKind, location: StoreLocation, evidence: String,
    readOnlyReason: String? = nil, collections: [StoreCollection] = [], facts: [Fact] = [],
    opening: @escaping Opening
  ) {
    self.kind = kind
    self.location = location
    self.evidence = evidence
    self.readOnlyReason = readOnlyReason
    self.collections = collections
    self.facts = facts
    self.opening = opening
  }

  /// Creates an opened location.
  public init(
    kind: StoreKind, location: StoreLocation, evidence: String,
    readOnlyReason: String? = nil, collections: [StoreCollection] = [], facts: [Fact] = [],
    store: @escaping @Sendable (_ collection: String?) async throws -> Store
  ) {
    self.init(
      kind: kind, location: location, evidence: evidence, readOnlyReason: readOnlyReason,
      collections: collections, facts: facts,
      opening: { collection, key in
        if case .columns = key {
          throw StoreError.noKeyColumns(location)
        }
        return try await store(collection)
      })
  }

  /// Opens one collection, or the whole store for nil, off the calling actor.
  ///
  /// - Parameters:
  ///   - collection: The name of the collection.
  ///   - key: The columns that are the keys of its rows; nil for those of the options.
  /// - Returns: The store.
  /// - Throws: ``StoreError`` if there is no such collection, it cannot be opened, or the columns
  ///   are not unique.
  public func store(
    _ collection: String?, key: KeyChoice? = nil
  ) async throws -> Store {
    try await opening(collection, key)
  }
}

/// A collection of entries inside a store, such as a table.
public struct StoreCollection: Sendable, Hashable {
  /// The name after the `#` in a location.
  public let name: String
  /// The store's own term for the collection, such as "table" or "view".
  public let form: String
  /// Whether the entries can be changed.
  public let isWritable: Bool
  /// A description of the keys, such as "id" or "rowid".
  public let keys: String
  /// The reason why this collection is read-only, as a clause, if it is not that of the whole
  /// store.
  public let readOnlyReason: String?
  /// The location of the expiries; nil if none was detected.
  public let expiry: CollectionExpiry?

  /// The known program whose data the collection is, by its schema; nil for other collections.
  public let program: String?

  /// Creates a collection.
  public init(
    name: String, form: String, isWritable: Bool, keys: String, readOnlyReason: String? = nil,
    expiry: CollectionExpiry? = nil, program: String? = nil
  ) {
    self.expiry = expiry
    self.program = program
    self.name = name
    self.form = form
    self.isWritable = isWritable
    self.keys = keys
    self.readOnlyReason = readOnlyReason
  }
}

/// Options for opening locations.
public struct OpenOptions: Sendable, Hashable {
  /// Whether to open the store without writing, without locks beyond a read, and without creating
  /// files beside it.
  public var isReadOnly: Bool
  /// The time to wait for a store that another process has locked, and for each response of a
  /// process.
  public var busyTimeout: Duration
  /// The user's choice of where expiries are stored.
  public var expiry: ExpiryChoice
  /// Whether to let the desktop prompt for the password of a locked keychain.
  public var asksToUnlock: Bool
  /// Asks the user for the password of a server that requires one; nil not to ask.
  public var passwordPrompt: PasswordPrompt?
  /// The configured rules for the location of expiries; the first match applies.
  public var expiryRules: [ExpiryRule]
  /// The user's descriptions of tables.
  public var lenses: [LensRule] = []
  /// Whether only one collection is opened, for one operation at a time.
  ///
  /// If the location names the collection, the others need not be examined.
  public var opensOneCollection = false
  /// The columns that are the keys of tables.
  public var key = KeyChoice.recognized
  /// The TTL of files in folders, counted from their last write; nil if none was given.
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

  /// Returns the choice of where a store's expiries are, and the rule it comes from, if any.
  ///
  /// - Parameters:
  ///   - paths: The paths of the store.
  ///   - collection: The collection; nil for the whole store.
  /// - Returns: The choice and the rule.
  package func expiry(
    of paths: [String], _ collection: String? = nil
  ) -> (choice: ExpiryChoice, rule: ExpiryRule?) {
    // A choice of the current call overrides the configured rules.
    if expiry.isMade { return (expiry, nil) }
    guard let rule = expiryRules.first(where: { $0.isAbout(paths, collection) }) else {
      return (expiry, nil)
    }
    return (rule.choice, rule)
  }
}
