package import LarderModel

/// The id of an open location, which is its number in the order of opening.
package struct LocationID: Sendable, Hashable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// A reference to an open store, which is a location or a collection inside it.
package struct StoreReference: Sendable, Hashable {
  package let location: LocationID
  package let collection: String?

  package init(location: LocationID, collection: String? = nil) {
    self.location = location
    self.collection = collection
  }

  /// Returns whether both are the same store, comparing names of collections by their bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.location == right.location
      && (left.collection.map { Array($0.utf8) } == right.collection.map { Array($0.utf8) })
  }

  /// Hashes the location and the bytes of the name.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(collection.map { Array($0.utf8) })
  }
}

/// The properties of an open location that the screen needs.
package struct LocationSummary: Sendable, Equatable {
  package var kind: StoreKind
  package var location: StoreLocation
  /// The path with symbolic links resolved, which identifies a location that is open under another
  /// name.
  package var resolvedPath: String?
  package var evidence: String
  package var collections: [StoreCollection]
  /// Additional facts that the kind of store reports.
  package var facts: [OpenStore.Fact]

  package init(_ store: OpenStore) {
    kind = store.kind
    location = store.location
    resolvedPath = store.resolvedPath
    evidence = store.evidence
    collections = store.collections
    facts = store.facts
  }
}

/// The properties of an open store that the screen needs.
package struct StoreSummary: Sendable, Equatable {
  package var reference: StoreReference
  package var kind: StoreKind
  package var location: StoreLocation
  package var capabilities: StoreCapabilities
  package var keyStyle: KeyStyle
  /// Whether the entries are rows with columns that can be set separately.
  package var hasRows: Bool
  /// The columns that can be set in a new row.
  package var newColumns: [NewColumn]
  /// Whether the store can generate the key of a new row.
  package var choosesKeys: Bool
  package var computedFields: [String]
  /// The columns of the rows, which are empty if entries do not have several columns.
  package var columns: [String]
  /// The columns that refer to other collections of the location, with the names of these.
  package var references: [String: String]
  /// The column with the value of each row, or `nil` if there is none.
  package var valueField: String?
  /// The roles of the columns if each row is a value with its expiry; otherwise `nil`.
  package var valueColumns: ValueColumns?
  /// The type to which the store converts new values, or `nil` for text.
  package var valueType: StoredType?
  /// The columns of the key, which are empty if keys have no declared types.
  package var keyColumns: [TypedKeyColumn]
  /// The columns of each key that the user can choose.
  package var keyChoices: [[String]]
  /// The user's choice of the key.
  package var keyChoice: KeyChoice
  package var readOnlyReason: String?
  /// The way in which the table was shown in an earlier run.
  package var savedGrid: SavedGrid?

  package init(_ store: Store, reference: StoreReference) {
    self.reference = reference
    kind = store.kind
    location = store.location
    capabilities = store.capabilities
    keyStyle = store.keyStyle
    hasRows = store.template?.type == .record
    newColumns = store.newColumns
    choosesKeys = store.newKey != nil
    computedFields = store.computedFields
    columns = store.columns
    references = store.references
    valueField = store.valueField
    valueColumns = store.valueColumns
    valueType = store.valueType
    keyColumns = store.keyColumns
    keyChoices = store.keyChoices
    keyChoice = store.keyChoice
    readOnlyReason = store.readOnlyReason
  }

  /// Whether entries can be changed.
  package var isWritable: Bool { capabilities.contains(.writable) }

  /// Whether the values are secrets.
  package var hidesValues: Bool { capabilities.contains(.hidesValues) }
}

extension StoreSummary {
  /// Returns a filter for the entries.
  package func filter(_ text: String) -> FilterText {
    FilterText(text, keyColumns: keyColumns, columns: columns, valueField: valueField)
  }

  /// Returns the reason why typed text is not a valid key of the store or is probably a mistake, or
  /// `nil` if it is fine.
  func fault(inTyped text: String) -> String? {
    if let fault = EntryKey.fault(inTyped: text) { return fault }
    return text.isEmpty ? nil : keyColumns.fault(of: key(typed: text))
  }

  /// Returns the key of a new entry for typed text.
  func key(typed text: String) -> EntryKey { keyColumns.key(typed: text, keyStyle) }
}
