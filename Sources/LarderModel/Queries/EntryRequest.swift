package import Harmony

/// What a `get` or `getAll` asks of a store of entries, whichever query says it.
package enum ReadRequest {
  case page(EntryPageQuery)
  case count(CountQuery)
  case one(EntryKey)
  case several([EntryKey])
  case all

  /// Understands a query, or is nil where it is not one of a browser's.
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

/// A put under one key, and what has to be there for it to happen.
package struct WriteRequest: Sendable {
  /// What the store has to hold.
  package enum Condition: Sendable {
    case anything
    case nothing
    case unchanged(Fingerprint)

    /// Whether an entry, or its absence, is as it has to be.
    package func allows(_ current: Entry?) -> Bool {
      switch self {
      case .anything: true
      case .nothing: current == nil
      case .unchanged(let fingerprint): current?.fingerprint == fingerprint
      }
    }
  }

  package let key: EntryKey
  package let condition: Condition

  package init(_ key: EntryKey, _ condition: Condition) {
    self.key = key
    self.condition = condition
  }

  /// The put that a change is, whose value is given beside it.
  package init(_ change: EntryChange) {
    self.init(change.key, change.expecting.map { .unchanged($0) } ?? .nothing)
  }

  /// Understands a query, or is nil where it does not name one key.
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

/// What a `delete` asks of a store of entries.
package enum DeleteRequest {
  case one(EntryKey, WriteRequest.Condition)
  case several([EntryKey])
  case prefix(String, Scan?)
  case all

  /// Understands a query, or is nil where it is not one of a browser's.
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
  /// Where it is reported how many entries are gone; nil for nowhere.
  package var scan: Scan? {
    if case .prefix(_, let scan) = self { scan } else { nil }
  }
}

extension Scan {
  /// Says how many entries a delete removed.
  package func reportDeleted(_ count: Int) {
    report(examined: count, position: nil, isComplete: true)
  }
}

extension EntryKey {
  /// The key that a query names; an identifier that is no ``EntryKey`` is its text, as anywhere.
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
  /// The keys that a query of several identifiers names.
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
  /// The answer of a source that does not know the query.
  package func unsupported<Value: Sendable>() -> Future<Value> {
    Future(CoreError.QueryNotSupported("this store cannot answer \(type(of: self))"))
  }
}

extension [Entry] {
  /// The entry that an operation on one answered with.
  package func only() throws -> Entry {
    guard let entry = first else { throw CoreError.NotFound("the entry is gone") }
    return entry
  }
}

extension Entry {
  /// The value of an entry that is to be written, which has to be whole.
  package static func valueToWrite(_ entry: Entry?) throws -> StoredValue {
    guard let entry else { throw CoreError.IllegalArgument("there is no value to write") }
    guard entry.isWhole, let value = entry.value else {
      throw CoreError.IllegalArgument("only a whole value can be written, not a part of one")
    }
    return value
  }
}

extension [Entry] {
  /// The values of entries that are to be written, each under one of several keys.
  package func valuesToWrite(for keys: [EntryKey]) throws -> [StoredValue] {
    let values = try map { try Entry.valueToWrite($0) }
    guard keys.count == values.count else {
      throw CoreError.IllegalArgument("there must be as many values as keys")
    }
    return values
  }
}

extension EntryKey {
  /// The keys under which a list is written: those of a query, or each entry's own for all.
  package static func keysToWrite(_ entries: [Entry], _ query: any Query) -> [EntryKey]? {
    query is AllObjectsQuery ? entries.map(\.key) : [EntryKey](naming: query)
  }
}
