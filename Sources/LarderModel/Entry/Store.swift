public import Harmony

/// A store of keys and values, as the browser and the command line see it.
///
/// All operations go through `source`, so that any Harmony decorator can be placed in front of it:
/// a cache with a TTL, a validator, a retry.
public struct Store: Sendable {
  /// The kind of store.
  public let kind: StoreKind
  /// The location, including the collection.
  public package(set) var location: StoreLocation
  private var declaredCapabilities: StoreCapabilities
  /// The notation of the keys.
  public let keyStyle: KeyStyle
  /// The template of a new entry, such as a row's columns without values; nil for plain text.
  public let template: StoredValue?
  /// The columns of a table that can be given a value; empty for other stores.
  public let newColumns: [NewColumn]
  /// The columns that the store computes from others, and that cannot be set.
  public let computedFields: [String]
  /// The columns of the rows, in the order of the table; empty if values are not rows.
  public let columns: [String]
  /// The columns whose values are keys of another collection of the same location, with its name.
  public let references: [String: String]
  /// The column that contains each row's value if the others contain only its expiry and other
  /// metadata.
  ///
  /// It is nil if rows are plain records, and if values are not rows.
  public let valueField: String?
  /// The column with the expiry of each row; nil if there is none or values are not rows.
  public let expiryField: String?
  /// The type of a new value unless the user chooses another; nil for text.
  public let valueType: StoredType?
  /// The columns of the keys; empty if keys have no declared type.
  public let keyColumns: [TypedKeyColumn]
  /// The columns of each key that the user can choose; empty for stores without columns.
  public let keyChoices: [[String]]
  /// The user's choice of the key.
  public let keyChoice: KeyChoice
  /// The reason why the store is read-only, as a clause, unless that is inherent in its kind.
  public let readOnlyReason: String?
  /// The warnings about changes that the store made; nil if it never issues any.
  public private(set) var warnings: WarningCollector?
  /// The data source that reads, writes and deletes entries.
  public private(set) var source: AnyDataSource<Entry>
  /// The cache operations of a store that is a cache over a backing store; nil for other stores.
  package private(set) var cache: (any CacheService)?
  /// The expiry operations; nil if entries do not expire.
  package private(set) var expiry: (any ExpiryService)?
  private var recordedExpiries: (any SeparateExpiries)?
  /// Chooses the key of a new row; nil if the user always enters it.
  package let newKey: (@Sendable () async throws -> EntryKey)?
  /// Determines the effect of changes without making them; nil if the store cannot do that.
  package private(set) var dryRun: (any DryRunService)?
  /// Starts to watch for changes by other programs; nil if the store does not notice them.
  package let changeFeed: (@Sendable () -> any ChangeFeed)?
  /// Waits until the store disappears and returns the reason; nil for permanent stores.
  ///
  /// The store of a live process exists until the process ends. Cancel the task to stop waiting.
  package let departure: (@Sendable () async throws -> String)?
  /// The operations with which a journal records changes; nil if they cannot be recorded.
  package let undoSupport: (any UndoSupport)?
  /// The recorded changes; nil if there is no journal, so that nothing can be undone.
  public private(set) var history: (any StoreHistory)?

  /// Creates a store over a data source of entries.
  package init(
    kind: StoreKind, location: StoreLocation, capabilities: StoreCapabilities,
    keyStyle: KeyStyle, template: StoredValue? = nil, newColumns: [NewColumn] = [],
    computedFields: [String] = [], columns: [String] = [],
    references: [String: String] = [:], valueField: String? = nil,
    expiryField: String? = nil,
    valueType: StoredType? = nil,
    keyColumns: [TypedKeyColumn] = [], keyChoices: [[String]] = [],
    keyChoice: KeyChoice = .recognized, readOnlyReason: String? = nil,
    warnings: WarningCollector? = nil,
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
    self.keyChoices = keyChoices
    self.keyChoice = keyChoice
    self.readOnlyReason = readOnlyReason
    self.warnings = warnings
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
  /// The capabilities of the store, including those that follow from its services.
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

  /// The columns that a new entry may have in addition to the template's: those with a default
  /// value, which the store fills in if they are omitted.
  public var optionalFields: [String] {
    template == nil ? [] : newColumns.filter { $0.defaultText != nil }.map(\.name)
  }

  /// Sets expiries that are stored separately from the entries, recording the changes if there is a
  /// journal; nil if there are none.
  package var separateExpiries: (any SeparateExpiries)? { recordedExpiries ?? expiry?.separate }

  /// Returns the key of a new entry for the text that the user entered.
  package func key(typed text: String) -> EntryKey { keyColumns.key(typed: text, keyStyle) }

  /// The types that a new value can have; empty if the store does not specify them.
  package var typesOfNewValues: [StoredType] {
    guard template?.type == .record else { return kind.types }
    return (valueField == nil ? [] : kind.types) + [.record]
  }

  /// Returns the same store with operations going through another source.
  ///
  /// - Parameters:
  ///   - source: The source, which wraps this store's own.
  ///   - expiry: The expiry operations; nil to use those of this store.
  ///   - capabilities: Additional capabilities of the store through this source.
  /// - Returns: The store.
  package func through(
    _ source: AnyDataSource<Entry>, expiry: (any ExpiryService)? = nil,
    capabilities: StoreCapabilities = []
  ) -> Store {
    // A copy preserves all other properties.
    var store = self
    store.source = source
    store.expiry = expiry ?? self.expiry
    store.declaredCapabilities.formUnion(capabilities)
    return store
  }

  /// Returns the same store with its changes recorded in a journal.
  ///
  /// - Parameters:
  ///   - history: The recorded changes.
  ///   - source: The recording source, which wraps this store's own.
  ///   - cache: The recording cache operations, if the store is a cache.
  ///   - expiries: The recording operations for separately stored expiries.
  ///   - dryRun: The dry run, which also detects changes that cannot be recorded.
  ///   - warnings: The collector of warnings, if the store has none of its own.
  /// - Returns: The store.
  package func recorded(
    by history: any StoreHistory, _ source: AnyDataSource<Entry>, cache: (any CacheService)?,
    expiries: (any SeparateExpiries)?, dryRun: (any DryRunService)?, warnings: WarningCollector
  ) -> Store {
    var store = self
    store.source = source
    store.cache = cache
    store.recordedExpiries = expiries
    store.dryRun = dryRun
    store.history = history
    store.warnings = self.warnings ?? warnings
    return store
  }

  /// Undoes or redoes a change with ``StoreHistory/replay(_:)``.
  ///
  /// - Throws: ``StoreError/notSupported(_:)`` if there is no journal, or an error from the
  ///   history.
  @discardableResult
  public func replay(_ request: ReplayRequest) async throws -> ChangeSummary {
    guard let history else { throw StoreError.noJournal }
    return try await history.replay(request)
  }

  /// Returns a value as the store would return it after writing it with a storage form.
  package func asKept(_ value: StoredValue, form: String? = nil) -> StoredValue {
    undoSupport?.asKept(value, form: form) ?? value
  }

  /// Returns the value to show to the user: if a row consists of a value and its expiry, the value
  /// alone.
  package func shown(_ value: StoredValue) -> StoredValue {
    valueField.flatMap(value.field) ?? value
  }
}

/// The capabilities of a store.
public struct StoreCapabilities: OptionSet, Sendable, Hashable {
  /// The bit mask.
  public let rawValue: Int

  /// Creates a set from a bit mask.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Entries can be written and deleted.
  public static let writable = StoreCapabilities(rawValue: 1 << 0)
  /// Entries can be added under new keys.
  public static let creates = StoreCapabilities(rawValue: 1 << 1)
  /// Entries can have an expiry.
  public static let expiry = StoreCapabilities(rawValue: 1 << 2)
  /// Pages are in key order, can be read from either end, and cost the same everywhere.
  public static let ordered = StoreCapabilities(rawValue: 1 << 3)
  /// Values can be searched.
  public static let searchable = StoreCapabilities(rawValue: 1 << 4)
  /// The time of each entry's last write is known.
  public static let modified = StoreCapabilities(rawValue: 1 << 5)

  /// Changes are recorded and can be undone; see ``Store/history``.
  public static let undo = StoreCapabilities(rawValue: 1 << 6)
  /// Changes by other programs are detected while the store is watched.
  public static let changeFeed = StoreCapabilities(rawValue: 1 << 7)
  /// Text keys are in byte order, so that keys with a common prefix are adjacent; see
  /// ``PrefixSummaryQuery``.
  public static let prefixes = StoreCapabilities(rawValue: 1 << 8)
  /// A list of entries includes the types of their values.
  public static let types = StoreCapabilities(rawValue: 1 << 9)
  /// The store exists only as long as another process does.
  public static let departs = StoreCapabilities(rawValue: 1 << 10)

  /// Entries are those of a cache over a backing store.
  public static let cache = StoreCapabilities(rawValue: 1 << 11)
  /// The creation times of entries are known, where they were recorded.
  public static let ages = StoreCapabilities(rawValue: 1 << 12)
  /// The number of uses and the last use of entries are known, where they were recorded.
  public static let uses = StoreCapabilities(rawValue: 1 << 13)
  /// Expiries are stored separately from the entries, and are not restored when a change is undone.
  public static let looseTimes = StoreCapabilities(rawValue: 1 << 14)
  /// Values are secrets: they are read and shown only on request, and stored nowhere else.
  public static let hidesValues = StoreCapabilities(rawValue: 1 << 15)
  /// Values can be links to entries of other collections; see ``EntryLink``.
  public static let links = StoreCapabilities(rawValue: 1 << 16)
  /// Entries are rows that can be sorted and filtered by column.
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

/// A kind of store, as described by the help, the README and `larder kinds`.
public struct StoreKind: Sendable, Hashable {
  /// The name on the command line and in JSON.
  public let name: String
  /// The form of a location of this kind, or the content by which it is recognized.
  public let recognizedBy: String
  /// A description of its collections, or "–".
  public let collections: String
  /// A description of its keys.
  public let keys: String
  /// Whether the changes of a ``ChangesQuery`` or ``RenamesQuery`` are made either all or not at
  /// all.
  public let isAtomic: Bool
  /// Whether keys are key paths in a document, where the indices of array elements can shift.
  public let keysArePaths: Bool
  /// Whether keys are the paths of files below the location.
  public let holdsFiles: Bool
  /// Whether numbers are stored as their digits, so that `2.50` is different from `2.5`.
  public let keepsDigits: Bool
  /// A description of its entries without a value, such as "links or special files"; nil if it
  /// normally has none.
  public let withoutValue: String?
  /// Whether the store outlives the process.
  public let isPersistent: Bool
  /// The separator that builds the key tree; nil to guess it.
  public let delimiter: String?
  /// The types that a new value can have, in the order in which they are offered.
  public let types: [StoredType]
  /// The storage forms (``Entry/form``) that a new value can have by name, with the types of their
  /// values.
  public let newForms: [String: StoredType]
  /// The storage forms (``Entry/form``) that are reproduced when an equal value is restored.
  public let restoredForms: Set<String>
  /// Whether each collection is a store of its own, in a file inside the location.
  public let holdsStores: Bool
  /// Whether text that is not valid UTF-8 makes the whole file unreadable to other programs.
  public let requiresUTF8: Bool
  /// Whether the store itself warns about values that it stores differently, as triggers do.
  public let reportsSideEffects: Bool
  /// The check of the file beyond its entries; nil if there is none.
  public let check: ContentCheck?

  /// Creates a kind.
  public init(
    name: String, recognizedBy: String, collections: String, keys: String,
    isAtomic: Bool = true, keysArePaths: Bool = false, holdsFiles: Bool = false,
    keepsDigits: Bool = false, withoutValue: String? = nil,
    isPersistent: Bool = true, delimiter: String? = nil,
    types: [StoredType] = [.text, .integer, .real, .data, .null],
    newForms: [String: StoredType] = [:], restoredForms: Set<String> = [],
    holdsStores: Bool = false, requiresUTF8: Bool = false,
    reportsSideEffects: Bool = false, check: ContentCheck? = nil
  ) {
    self.name = name
    self.recognizedBy = recognizedBy
    self.collections = collections
    self.keys = keys
    self.isAtomic = isAtomic
    self.keysArePaths = keysArePaths
    self.holdsFiles = holdsFiles
    self.keepsDigits = keepsDigits
    self.withoutValue = withoutValue
    self.isPersistent = isPersistent
    self.delimiter = delimiter
    self.types = types
    self.newForms = newForms
    self.restoredForms = restoredForms
    self.holdsStores = holdsStores
    self.requiresUTF8 = requiresUTF8
    self.reportsSideEffects = reportsSideEffects
    self.check = check
  }

  /// Whether storage forms and spellings of another kind have the same meaning in this one.
  package func sharesForms(with other: StoreKind) -> Bool { self == other }
}

/// A check of a store's file by `larder doctor`, beyond reading its entries.
public enum ContentCheck: Sendable, Hashable {
  /// SQLite's checks of its pages, indexes and foreign keys.
  case database
  /// A search for deviations from the JSON standard.
  case json
  /// A search for elements that Android does not read.
  case preferences
}
