package import LarderModel

/// One of the locations that are open, by the order in which they were opened.
package struct LocationID: Sendable, Hashable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// A store that is open: a location, and a collection inside it.
package struct StoreReference: Sendable, Hashable {
  package let location: LocationID
  package let collection: String?

  package init(location: LocationID, collection: String? = nil) {
    self.location = location
    self.collection = collection
  }

  /// Whether both are the same collection, whose names are compared byte by byte.
  package static func == (left: Self, right: Self) -> Bool {
    left.location == right.location
      && (left.collection.map { Array($0.utf8) } == right.collection.map { Array($0.utf8) })
  }

  /// Feeds the location and the bytes of the name to the hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(collection.map { Array($0.utf8) })
  }
}

/// What the screen needs to know of an open location.
package struct LocationSummary: Sendable, Equatable {
  package var kind: StoreKind
  package var location: StoreLocation
  /// The path without links, by which the same location is known under another name.
  package var resolvedPath: String?
  package var evidence: String
  package var collections: [StoreCollection]
  /// What its kind tells of it.
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

/// What the screen needs to know of an open store.
package struct StoreSummary: Sendable, Equatable {
  package var reference: StoreReference
  package var kind: StoreKind
  package var location: StoreLocation
  package var capabilities: StoreCapabilities
  package var keyStyle: KeyStyle
  /// Whether its entries are rows of columns, of which each can be given a value.
  package var hasRows: Bool
  /// The columns that can be given a value.
  package var newColumns: [NewColumn]
  /// Whether the store can choose the key of a new row.
  package var choosesKeys: Bool
  package var computedFields: [String]
  /// The columns of its rows; none where entries are not rows of several columns.
  package var columns: [String]
  /// The columns that refer to entries of other collections of the location, and which.
  package var references: [String: String]
  /// The column that is the value of each row; nil where there is none.
  package var valueField: String?
  /// What the columns of rows mean that are one value with its expiry; nil where rows are not.
  package var valueColumns: ValueColumns?
  /// The type that the store would make of a new value anyway; nil for text.
  package var valueType: StoredType?
  /// The columns of its keys; none where keys are of no type that is declared.
  package var keyColumns: [TypedKeyColumn]
  package var readOnlyReason: String?

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
    readOnlyReason = store.readOnlyReason
  }

  /// Whether entries can be changed.
  package var isWritable: Bool { capabilities.contains(.writable) }

  /// Whether its values are secrets.
  package var hidesValues: Bool { capabilities.contains(.hidesValues) }
}

extension StoreSummary {
  /// The columns that a filter knows: those of the key, too; none where a row is one value.
  package var filterColumns: [String] {
    columns.isEmpty || valueField != nil ? [] : keyColumns.map(\.name) + columns
  }

  /// Why a text that somebody types can be no key of the store, or is most likely not meant as it
  /// stands; nil where nothing is wrong with it.
  func fault(inTyped text: String) -> String? {
    if let fault = EntryKey.fault(inTyped: text) { return fault }
    return text.isEmpty ? nil : keyColumns.fault(of: key(typed: text))
  }

  /// The key that a new entry gets for what is typed.
  func key(typed text: String) -> EntryKey { keyColumns.key(typed: text, keyStyle) }
}
