import Foundation
import HarmonySQLite
package import LarderModel

/// A sorter for any number of entries in bounded memory.
///
/// A small number of entries, or a short prefix of the sorted ones, is sorted in memory; otherwise,
/// SQLite sorts them in an unnamed temporary file. The sort is stable. The values of the entries
/// are discarded.
package struct EntrySorter {
  private let order: EntryOrder
  private let maximumCount: Int
  /// The number of entries wanted, if they can be kept in memory.
  private let wantedCount: Int?
  /// The rank of the last wanted entry at the last time the entries in memory were sorted.
  private var lastRank: EntryOrder.Rank?
  private var entries: [Entry] = []
  private var scratch: SQLiteScratch?

  /// Creates a sorter.
  ///
  /// - Parameters:
  ///   - order: The order to sort by, which is not by key.
  ///   - inMemory: The maximum number of entries to sort in memory.
  ///   - first: The number of entries wanted; those after them may be discarded.
  package init(_ order: EntryOrder, inMemory: Int = 20_000, first: Int = .max) {
    self.order = order
    maximumCount = inMemory
    wantedCount = first <= inMemory / 2 ? first : nil
  }

  /// Adds an entry.
  ///
  /// - Throws: ``StoreError`` if there is no space for it.
  package mutating func add(_ entry: Entry) throws(StoreError) {
    guard let scratch else {
      // The sort is stable, so an entry with the same rank as the last one comes after it.
      if let lastRank, !order.precedes((order.rank(of: entry), .null), (lastRank, .null)) { return }
      var entry = entry
      entry.value = nil
      entries.append(entry)
      guard entries.count > maximumCount else { return }
      if let wantedCount { keepFirst(wantedCount) } else { try moveOut() }
      return
    }
    try Self.explaining { () throws(SQLiteError) in try write(entry, to: scratch.session) }
  }

  /// Calls a closure with each entry in order, until it returns false.
  ///
  /// - Throws: Errors of the closure, and ``StoreError``.
  package func forEach(_ take: (Entry) throws -> Bool) throws {
    guard let scratch else {
      for entry in sortedInMemory() where try !take(entry) { return }
      return
    }
    let direction = order.isDescending ? " DESC" : ""
    do {
      try scratch.session.query(
        "SELECT key, type, special, size, modified, expires, digest, hits, used FROM e "
          + "ORDER BY rank IS NULL, rank\(direction), n"
      ) { statement in
        while try statement.step() {
          guard let entry = Self.entry(statement) else { continue }
          guard try take(entry) else { return }
        }
      }
    } catch let error as SQLiteError {
      throw StoreError.noRoom(error)
    }
  }

  private func sortedInMemory() -> [Entry] {
    let ranks = entries.map(order.rank)
    func precedes(_ left: Int, _ right: Int) -> Bool {
      order.precedes((ranks[left], .null), (ranks[right], .null))
    }
    return entries.indices.sorted { left, right in
      precedes(left, right) || (left < right && !precedes(right, left))
    }.map { entries[$0] }
  }

  /// Discards all but the first entries.
  private mutating func keepFirst(_ count: Int) {
    entries = Array(sortedInMemory().prefix(count))
    lastRank = entries.last.map(order.rank)
  }

  /// Moves the entries to a temporary file.
  private mutating func moveOut() throws(StoreError) {
    let entries = entries
    scratch = try Self.explaining { () throws(SQLiteError) in
      let scratch = try SQLiteScratch(
        "CREATE TABLE e(n INTEGER PRIMARY KEY, rank REAL, key BLOB, type TEXT, special TEXT, "
          + "size INTEGER, modified REAL, expires REAL, digest TEXT, hits INTEGER, used REAL)")
      for entry in entries { try write(entry, to: scratch.session) }
      return scratch
    }
    self.entries = []
  }

  private func write(_ entry: Entry, to session: SQLiteSession) throws(SQLiteError) {
    let rank: SQLiteValue =
      if case .known(let rank) = order.rank(of: entry) { .real(rank) } else { .null }
    func date(_ date: Date?) -> SQLiteValue {
      date.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null
    }
    func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    try session.run(
      "INSERT INTO e(rank, key, type, special, size, modified, expires, digest, hits, used) "
        + "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        rank, .blob(EntryCoding.encode(entry.key)), text(entry.type?.rawValue),
        text(entry.specialType), entry.size.map { .integer(Int64($0)) } ?? .null,
        date(entry.modified), date(entry.expires), text(entry.fingerprint?.description),
        entry.hits.map { .integer(Int64($0)) } ?? .null, date(entry.lastUsed),
      ])
  }

  private static func entry(_ statement: SQLiteStatement) -> Entry? {
    guard case .blob(let bytes) = statement.value(at: 0), let key = EntryCoding.key(bytes) else {
      return nil
    }
    func text(_ column: Int) -> String? {
      if case .text(let text) = statement.value(at: column) { text } else { nil }
    }
    func date(_ column: Int) -> Date? {
      guard case .real(let seconds) = statement.value(at: column) else { return nil }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    var entry = Entry(key: key)
    entry.type = text(1).flatMap(StoredType.init)
    entry.specialType = text(2)
    if case .integer(let size) = statement.value(at: 3) { entry.size = Int(size) }
    entry.modified = date(4)
    entry.expires = date(5)
    entry.fingerprint = text(6).flatMap(Fingerprint.init)
    if case .integer(let hits) = statement.value(at: 7) { entry.hits = Int(hits) }
    entry.lastUsed = date(8)
    return entry
  }

  private static func explaining<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      throw StoreError.noRoom(error)
    }
  }
}
