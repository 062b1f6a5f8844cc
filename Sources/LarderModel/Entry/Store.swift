public import Harmony

/// A place of keys and values, as the browser and the command line see it.
///
/// Everything that is done to it is done through `source`, so any decorator of Harmony can stand
/// between: a timed cache, a validator, a retry.
public struct Store: Sendable {
  /// The kind of store.
  public let kind: StoreKind
  /// Where it is, with the collection.
  public package(set) var location: StoreLocation
  private var declaredCapabilities: StoreCapabilities
  /// How its keys are written.
  public let keyStyle: KeyStyle
  /// What a new entry starts from, such as a row's columns without values; nil for plain text.
  public let template: StoredValue?
  /// The columns that can be given a value, of tables; none elsewhere.
  public let newColumns: [NewColumn]
  /// The columns that the store computes from others, and that cannot be given a value.
  public let computedFields: [String]
  /// The columns of its rows, in the order of the table; none where values are not rows of columns.
  public let columns: [String]
  /// The columns whose values are keys of another collection of the same location, and which.
  public let references: [String: String]
  /// The column that is the value of each row, where the others only say when it expires and
  /// what became of it; nil where rows are records of equal columns, and where values are no rows.
  public let valueField: String?
  /// The column that says when each row expires; nil where none does, and where values are no rows.
  public let expiryField: String?
  /// The type of a new value, where the store would make it that and nobody says otherwise; nil for
  /// text.
  public let valueType: StoredType?
  /// The columns of its keys; none where keys are of no type that is declared.
  public let keyColumns: [TypedKeyColumn]
  /// Why nothing can be written, as a clause, where it is for another reason than what it is.
  public let readOnlyReason: String?
  /// What it has to say of the changes it made; nil where it never has.
  public private(set) var remarks: Remarks?
  /// Reads, writes and deletes entries.
  public private(set) var source: AnyDataSource<Entry>
  /// What the store does as a timed cache over another source; nil where it is none.
  package private(set) var cache: (any CacheService)?
  /// What the store knows of expiries; nil where its entries have none.
  package private(set) var expiry: (any ExpiryService)?
  private var recordedExpiries: (any SeparateExpiries)?
  /// Chooses the key of a new row; nil where keys are always typed.
  package let newKey: (@Sendable () async throws -> EntryKey)?
  /// Finds out what changes would do; nil where only making them tells.
  package private(set) var dryRun: (any DryRunService)?
  /// Begins to tell of what others change; nil where the store learns of no change.
  package let changeFeed: (@Sendable () -> any ChangeFeed)?
  /// Waits until the store is no longer there, and says what has happened; nil for stores that stay.
  ///
  /// The store of a program is there until the program ends. Cancel its task to stop waiting.
  package let departure: (@Sendable () async throws -> String)?
  /// How a journal can record changes; nil where it cannot.
  package let undoSupport: (any UndoSupport)?
  /// The changes that are recorded; nil where none are, so that nothing can be undone.
  public private(set) var history: (any StoreHistory)?

  /// Creates a store over a data source of entries.
  package init(
    kind: StoreKind, location: StoreLocation, capabilities: StoreCapabilities,
    keyStyle: KeyStyle, template: StoredValue? = nil, newColumns: [NewColumn] = [],
    computedFields: [String] = [], columns: [String] = [],
    references: [String: String] = [:], valueField: String? = nil,
    expiryField: String? = nil,
    valueType: StoredType? = nil,
    keyColumns: [TypedKeyColumn] = [], readOnlyReason: String? = nil, remarks: Remarks? = nil,
    source: AnyDataSource<Entry>, cache: (any CacheService)? = nil,
    expiry: (any ExpiryService)? = nil, newKey: (@Sendable () async throws -> EntryKey)? = nil,
    dryRun: (any DryRunService)? = nil,
    changeFeed: (@Sendable () -> any ChangeFeed)? = nil,
    departure: (@Sendable () async throws -> String)? = nil,
    undoSupport: (any UndoSupport)? = nil
  ) {
    self.kind = kind
    self.location = location
    declaredCapabilities = capabilities
    self.keyStyle = keyStyle
    self.template = template
    self.newColumns = newColumns
    self.computedFields = computedFields
    self.columns = columns
    self.references = references
    self.valueField = valueField
    self.expiryField = expiryField
    self.valueType = valueType
    self.keyColumns = keyColumns
    self.readOnlyReason = readOnlyReason
    self.remarks = remarks
    self.source = source
    self.cache = cache
    self.expiry = expiry
    self.newKey = newKey
    self.dryRun = dryRun
    self.changeFeed = changeFeed
    self.departure = departure
    self.undoSupport = undoSupport
  }
}

extension Store {
  /// What it can do.
  public var capabilities: StoreCapabilities {
    var capabilities = declaredCapabilities
    if history != nil { capabilities.insert(.undo) }
    if cache != nil { capabilities.insert(.cache) }
    if expiry != nil { capabilities.insert(.expiry) }
    if separateExpiries != nil { capabilities.insert(.looseTimes) }
    if changeFeed != nil { capabilities.insert(.changeFeed) }
    if departure != nil { capabilities.insert(.departs) }
    if !columns.isEmpty { capabilities.insert(.columns) }
    return capabilities
  }

  /// What a new entry may have besides what the template names: columns with a default, which the
  /// store fills in where they are left out.
  public var optionalFields: [String] {
    template == nil ? [] : newColumns.filter { $0.defaultText != nil }.map(\.name)
  }

  /// Sets expiries that are stored beside the entries, and records that where changes are recorded; nil
  /// where no entry has any.
  package var separateExpiries: (any SeparateExpiries)? { recordedExpiries ?? expiry?.separate }

  /// The key that a new entry gets for what is typed.
  package func key(typed text: String) -> EntryKey { keyColumns.key(typed: text, keyStyle) }

  /// The types that a value can be given; none where the store does not say.
  package var typesOfNewValues: [StoredType] {
    guard template?.type == .record else { return kind.types }
    return (valueField == nil ? [] : kind.types) + [.record]
  }

  /// The same store, read and written through another source.
  ///
  /// - Parameters:
  ///   - source: The source, which stands over this store's own.
  ///   - expiry: What it knows of expiries; nil for what this store does.
  ///   - capabilities: What else the store can do through it.
  /// - Returns: The store.
  package func through(
    _ source: AnyDataSource<Entry>, expiry: (any ExpiryService)? = nil,
    capabilities: StoreCapabilities = []
  ) -> Store {
    // A copy, so that nothing that the store knows of itself is left out.
    var store = self
    store.source = source
    store.expiry = expiry ?? self.expiry
    store.declaredCapabilities.formUnion(capabilities)
    return store
  }

  /// The same store, whose changes are recorded.
  ///
  /// - Parameters:
  ///   - history: The changes.
  ///   - source: Records them, over this store's own source.
  ///   - cache: Records what is done to the cache that the store is.
  ///   - expiries: Records expiries that are stored beside the entries.
  ///   - dryRun: Also finds out what cannot be recorded.
  ///   - remarks: What there is to say of changes, where the store itself never has anything.
  /// - Returns: The store.
  package func recorded(
    by history: any StoreHistory, _ source: AnyDataSource<Entry>, cache: (any CacheService)?,
    expiries: (any SeparateExpiries)?, dryRun: (any DryRunService)?, remarks: Remarks
  ) -> Store {
    var store = self
    store.source = source
    store.cache = cache
    store.recordedExpiries = expiries
    store.dryRun = dryRun
    store.history = history
    store.remarks = self.remarks ?? remarks
    return store
  }

  /// Undoes or redoes a step, as ``StoreHistory/replay(_:)`` does.
  ///
  /// - Throws: Also ``StoreError/notSupported(_:)`` where no changes are recorded.
  @discardableResult
  public func replay(_ request: ReplayRequest) async throws -> JournalStep {
    guard let history else {
      throw StoreError.notSupported("no journal is kept of this store")
    }
    return try await history.replay(request)
  }

  /// A value as the store answers with it once it is written.
  package func asKept(_ value: StoredValue) -> StoredValue {
    undoSupport?.asKept(value) ?? value
  }

  /// What a user means by a value: of a row that is one value with its expiry, that alone.
  package func shown(_ value: StoredValue) -> StoredValue {
    valueField.flatMap(value.field) ?? value
  }
}

/// What a store can do.
public struct StoreCapabilities: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Entries can be written and deleted.
  public static let writable = StoreCapabilities(rawValue: 1 << 0)
  /// Entries can be added under new keys.
  public static let creates = StoreCapabilities(rawValue: 1 << 1)
  /// Entries carry expiry times.
  public static let expiry = StoreCapabilities(rawValue: 1 << 2)
  /// Pages come in the order of keys from either end, at the same cost everywhere.
  public static let ordered = StoreCapabilities(rawValue: 1 << 3)
  /// Values can be searched.
  public static let searchable = StoreCapabilities(rawValue: 1 << 4)
  /// The time of the last write of each entry is known.
  public static let modified = StoreCapabilities(rawValue: 1 << 5)

  /// Changes are recorded, and can be undone; see ``Store/history``.
  public static let undo = StoreCapabilities(rawValue: 1 << 6)
  /// What others change is noticed while it is looked at.
  public static let changeFeed = StoreCapabilities(rawValue: 1 << 7)
  /// Text keys are in the order of their bytes, so that those that begin alike lie together; see
  /// ``PrefixSummaryQuery``.
  public static let prefixes = StoreCapabilities(rawValue: 1 << 8)
  /// A list of entries tells the types of their values.
  public static let types = StoreCapabilities(rawValue: 1 << 9)
  /// The store lasts only as long as another process does.
  public static let departs = StoreCapabilities(rawValue: 1 << 10)

  /// Entries are what a timed cache holds over another source.
  public static let cache = StoreCapabilities(rawValue: 1 << 11)
  /// Since when entries are there is known, as far as it is for each.
  public static let ages = StoreCapabilities(rawValue: 1 << 12)
  /// When entries were used last, and how often, is known, as far as it is for each.
  public static let uses = StoreCapabilities(rawValue: 1 << 13)
  /// Until when entries count is kept beside them, and not brought back with what is taken back.
  public static let looseTimes = StoreCapabilities(rawValue: 1 << 14)
  /// Values are secrets: they are read and shown only when somebody asks for one, and kept nowhere
  /// else.
  public static let hidesValues = StoreCapabilities(rawValue: 1 << 15)
  /// Values can be links to entries of other collections; see ``EntryLink``.
  public static let links = StoreCapabilities(rawValue: 1 << 16)
  /// Entries are rows, which can be listed in the order of a column, and filtered by columns.
  public static let columns = StoreCapabilities(rawValue: 1 << 17)

  /// The names of the capabilities in the set, as the command line prints them.
  public var names: [String] {
    let all: [(StoreCapabilities, String)] = [
      (.writable, "writable"), (.creates, "creates"), (.expiry, "expiry"),
      (.ordered, "ordered"), (.searchable, "searchable"), (.modified, "modified"),
      (.undo, "undo"), (.changeFeed, "changeFeed"), (.prefixes, "prefixes"),
      (.types, "types"), (.departs, "departs"), (.cache, "cache"), (.ages, "ages"),
      (.uses, "uses"), (.looseTimes, "looseTimes"), (.hidesValues, "hidesValues"),
      (.links, "links"), (.columns, "columns"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// A kind of store, as the help, the README and `larder kinds` describe it.
public struct StoreKind: Sendable, Hashable {
  /// The name on the command line and in JSON.
  public let name: String
  /// What a location of this kind looks like or is recognised by.
  public let recognisedBy: String
  /// What its collections are, or "–".
  public let collections: String
  /// What its keys are.
  public let keys: String
  /// Whether all changes of a ``ChangesQuery`` or a ``RenamesQuery`` are made, or none.
  public let isAtomic: Bool
  /// Whether keys are paths in one document, where elements of arrays have places that move.
  public let keysArePaths: Bool
  /// Whether a number is kept in the digits that it was written in, so that `2.50` is not `2.5`.
  public let keepsDigits: Bool
  /// What its entries without a value are, such as "links or special files"; nil where it lists
  /// none as a matter of course.
  public let withoutValue: String?
  /// Whether what is written is there after the process ends.
  public let isLasting: Bool
  /// What parts keys into the branches of a tree; nil where that is guessed.
  public let delimiter: String?
  /// The types that a new value can be given, in the order that they are offered in.
  public let types: [StoredType]
  /// The words of ``Entry/form`` that an equal value is given when it is restored.
  public let restoredForms: Set<String>

  /// Describes a kind.
  public init(
    name: String, recognisedBy: String, collections: String, keys: String,
    isAtomic: Bool = true, keysArePaths: Bool = false, keepsDigits: Bool = false,
    withoutValue: String? = nil,
    isLasting: Bool = true, delimiter: String? = nil,
    types: [StoredType] = [.text, .integer, .real, .data, .null],
    restoredForms: Set<String> = []
  ) {
    self.name = name
    self.recognisedBy = recognisedBy
    self.collections = collections
    self.keys = keys
    self.isAtomic = isAtomic
    self.keysArePaths = keysArePaths
    self.keepsDigits = keepsDigits
    self.withoutValue = withoutValue
    self.isLasting = isLasting
    self.delimiter = delimiter
    self.types = types
    self.restoredForms = restoredForms
  }
}
