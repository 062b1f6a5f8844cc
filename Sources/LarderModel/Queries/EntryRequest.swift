package import Harmony

/// The read requested by a `get` or `getAll`, independent of the type of the query.
package enum ReadRequest {
  case page(EntryPageQuery)
  case count(CountQuery)
  case one(EntryKey)
  case several([EntryKey])
  case all

  /// Interprets a query, or returns nil if it is not supported.
  package init?(_ query: any Query) {
    switch query {
    case let query as EntryPageQuery: self = .page(query)
    case let query as CountQuery: self = .count(query)
    case is AllObjectsQuery: self = .all
    default:
      if let key = EntryKey(naming: query) {
        self = .one(key)
      } else if let keys = [EntryKey](naming: query) {
        self = .several(keys)
      } else {
        return nil
      }
    }
  }
}

/// A write to a single key with its precondition.
package struct WriteRequest: Sendable {
  /// The precondition of a write.
  package enum Condition: Sendable {
    case anything
    case nothing
    case unchanged(Fingerprint)

    /// Whether the current entry, or its absence, meets the precondition.
    package func allows(_ current: Entry?) -> Bool {
      switch self {
      case .anything: true
      case .nothing: current == nil
      case .unchanged(let fingerprint): current?.fingerprint == fingerprint
      }
    }

    /// The expected fingerprint; nil if there must be no entry, or none is expected.
    package var fingerprint: Fingerprint? {
      if case .unchanged(let fingerprint) = self { fingerprint } else { nil }
    }
  }

  package let key: EntryKey
  package let condition: Condition

  package init(_ key: EntryKey, _ condition: Condition) {
    self.key = key
    self.condition = condition
  }

  /// Creates the request for a change, whose value is passed separately.
  package init(_ change: EntryChange) {
    self.init(change.key, change.expecting.map { .unchanged($0) } ?? .nothing)
  }

  /// Interprets a query, or returns nil if it does not name a single key.
  package init?(_ query: any Query) {
    if let query = query as? ReplaceQuery {
      key = query.entryKey
      condition = query.expecting.map { .unchanged($0) } ?? .nothing
    } else if let key = EntryKey(naming: query) {
      self.key = key
      condition = .anything
    } else {
      return nil
    }
  }
}

/// The deletion requested by a `delete`.
package enum DeleteRequest {
  case one(EntryKey, WriteRequest.Condition)
  case several([EntryKey])
  case prefix(String, Scan?)
  case all

  /// Interprets a query, or returns nil if it is not supported.
  package init?(_ query: any Query) {
    switch query {
    case let query as EntryQuery:
      self = .one(query.entryKey, query.expecting.map { .unchanged($0) } ?? .anything)
    case let query as PrefixQuery: self = .prefix(query.prefix, query.scan)
    case is AllObjectsQuery: self = .all
    default:
      if let key = EntryKey(naming: query) {
        self = .one(key, .anything)
      } else if let keys = [EntryKey](naming: query) {
        self = .several(keys)
      } else {
        return nil
      }
    }
  }
}

extension DeleteRequest {
  /// The scan that receives the number of deleted entries, if there is one.
  package var scan: Scan? {
    if case .prefix(_, let scan) = self { scan } else { nil }
  }
}

extension Scan {
  /// Reports the number of entries that a delete removed.
  package func reportDeleted(_ count: Int) {
    report(examined: count, position: nil, isComplete: true)
  }
}

extension EntryKey {
  /// Returns the key that a query names; identifiers other than ``EntryKey`` are converted to text.
  package init?(naming query: any Query) {
    switch query {
    case let query as EntryQuery: self = query.entryKey
    case let query as IdQuery<EntryKey>: self = query.id
    case let query as IdQuery<String>: self = .text(query.id)
    case let query as IdQuery<Int>: self = .text(query.key)
    default: return nil
    }
  }
}

extension [EntryKey] {
  /// Returns the keys that a query with several identifiers names.
  package init?(naming query: any Query) {
    switch query {
    case let query as IdsQuery<EntryKey>: self = query.ids
    case let query as IdsQuery<String>: self = query.ids.map { .text($0) }
    case let query as IdsQuery<Int>: self = query.keys.map { .text($0) }
    default: return nil
    }
  }
}

extension Query {
  /// Returns the answer of a source that does not support the query.
  package func unsupported<Value: Sendable>() -> Future<Value> {
    Future(CoreError.QueryNotSupported.query(self))
  }
}

extension [Entry] {
  /// Returns the entry from the result of an operation on a single entry.
  package func only() throws -> Entry {
    guard let entry = first else { throw CoreError.NotFound.entry }
    return entry
  }
}

extension Entry {
  /// Returns the value of an entry to write, which must be whole.
  package static func valueToWrite(_ entry: Entry?) throws -> StoredValue {
    guard let entry else { throw CoreError.IllegalArgument.noValue }
    guard entry.isWhole, let value = entry.value else {
      throw CoreError.IllegalArgument.partialValue
    }
    return value
  }
}

extension [Entry] {
  /// Returns the values of entries to write, one for each of the keys.
  package func valuesToWrite(for keys: [EntryKey]) throws -> [StoredValue] {
    let values = try map { try Entry.valueToWrite($0) }
    guard keys.count == values.count else {
      throw CoreError.IllegalArgument.unequalCounts
    }
    return values
  }
}

extension EntryKey {
  /// Returns the keys under which to write a list: those in the query, or the entries' own keys.
  package static func keysToWrite(_ entries: [Entry], _ query: any Query) -> [EntryKey]? {
    query is AllObjectsQuery ? entries.map(\.key) : [EntryKey](naming: query)
  }
}
