import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Undo of random changes in random databases.
///
/// `LARDER_UNDO_SEEDS` sets the number of runs; each run prints its seed, which reproduces the same
/// database and changes.
struct RandomUndoTests {
  private static let seeds: [UInt64] = {
    let text = ProcessInfo.processInfo.environment["LARDER_UNDO_SEEDS"]
    return Array(0..<(text.flatMap { UInt64($0) } ?? 300))
  }()

  @Test func `Most changes succeed`() async throws {
    var (done, refused, along) = (0, 0, 0)
    for seed in Self.seeds.prefix(20) {
      var numbers = SeededNumbers(seed: seed)
      let work = try await RandomWork(RandomSchema(&numbers))
      for _ in 0..<8 {
        if try await work.change(&numbers) == nil { done += 1 } else { refused += 1 }
        along += work.takeRemarks().count
      }
    }
    #expect(done > refused, "\(done) done, \(refused) refused")
    #expect(along > 0, "nothing was done along with anything")
  }

  @Test(arguments: seeds)
  func `All changes are undone`(seed: UInt64) async throws {
    var numbers = SeededNumbers(seed: seed)
    let schema = RandomSchema(&numbers)
    let work = try await RandomWork(schema)
    let start = try await work.dump()
    for _ in 0..<Int.random(in: 3...10, using: &numbers) {
      let before = try await work.dump()
      let refusal = try await work.change(&numbers)
      if let refusal {
        #expect(try await work.dump() == before, "\(refusal): \(work.story)")
      }
    }
    let end = try await work.dump()
    #expect(try await work.undoAll(isRedo: false), "\(work.said): \(work.story)")
    #expect(try await work.dump() == start, "\(work.said): \(work.story)")
    #expect(try await work.undoAll(isRedo: true), "\(work.said): \(work.story)")
    #expect(try await work.dump() == end, "\(work.story)")
    #expect(try await work.undoAll(isRedo: false), "\(work.said): \(work.story)")
    #expect(try await work.dump() == start, "\(work.story)")
    #expect(try await work.faults() == ["ok"], "\(work.story)")
  }
}

/// Random changes to a random database, and their undo.
private final class RandomWork {
  private let bench: JournalBench
  private let schema: RandomSchema
  private let path: String
  private var stores: [Store] = []
  /// The indexes of the changed stores, in order.
  private var steps: [Int] = []
  /// An SQL script with a log of the changes, for failure messages.
  private(set) var story: String
  /// The warnings and errors of undo and redo.
  private(set) var said: [String] = []

  init(_ schema: RandomSchema) async throws {
    self.schema = schema
    bench = try JournalBench()
    story = schema.script
    path = try await bench.folder.database(schema.script)
    for table in schema.tables { stores.append(try await bench.open(path, table.name)) }
  }

  func dump() async throws -> [String: [[SQLiteValue]]] {
    try await LarderStoresTests.dump(path)
  }

  /// Returns what SQLite finds wrong with the database and its indexes, or `ok`.
  func faults() async throws -> [String] {
    try await rows(path, "PRAGMA integrity_check").compactMap {
      if case .text(let fault)? = $0.first { fault } else { nil }
    }
  }

  /// Makes a random change.
  ///
  /// - Returns: The error message if it was refused; otherwise nil.
  func change(_ numbers: inout SeededNumbers) async throws -> String? {
    let index = Int.random(in: 0..<stores.count, using: &numbers)
    let (store, table) = (stores[index], schema.tables[index])
    let count = try await bench.journal.steps().count
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    var draft = numbers
    let work = try await self.work(store, table, entries, &draft)
    numbers = draft
    let refused = await refusal { try await work() }
    story += refused.map { "-- refused: \($0)\n" } ?? ""
    if try await bench.journal.steps().count > count {
      if refused == nil { steps.append(index) }
    }
    return refused
  }

  private func work(
    _ store: Store, _ table: RandomSchema.Table, _ entries: [Entry],
    _ numbers: inout SeededNumbers
  ) async throws -> () async throws -> Void {
    let entry = numbers.pick(entries)
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0, 1:
      guard let entry, let old = entry.value else { break }
      let value = try await edited(old, store, table, &numbers)
      story += "-- edit \(table.name) \(entry.key.spoken): \(value)\n"
      return {
        _ = try await store.source.put(
          Entry(key: entry.key, value: value),
          in: ReplaceQuery(entry.key, expecting: entry.fingerprint)
        ).get()
      }
    case 2:
      guard let entry, let fingerprint = entry.fingerprint else { break }
      let key = newKey(table, &numbers)
      story += "-- rename \(table.name) \(entry.key.spoken) to \(key.spoken)\n"
      return {
        _ = try await store.source.put(
          nil, in: RenameQuery(entry.key, to: key, expecting: fingerprint)
        ).get()
      }
    case 3:
      guard let entry else { break }
      story += "-- delete \(table.name) \(entry.key.spoken)\n"
      return {
        try await store.source.delete(EntryQuery(entry.key, expecting: entry.fingerprint)).get()
      }
    case 4:
      let prefix = numbers.pick(["", "a", "b", "1"]) ?? ""
      story += "-- delete \(table.name) \"\(prefix)\"…\n"
      return { try await store.source.delete(PrefixQuery(prefix)).get() }
    case 5:
      var changes: [EntryChange] = []
      for entry in entries.shuffled(using: &numbers).prefix(3) {
        guard let old = entry.value else { continue }
        let value = numbers.chance(1, of: 2) ? nil : try await edited(old, store, table, &numbers)
        changes.append(EntryChange(entry.key, value: value, expecting: entry.fingerprint))
      }
      let key = newKey(table, &numbers)
      if !entries.contains(where: { $0.key == key }) {
        let value = try await newValue(store, table, &numbers)
        changes.append(EntryChange(key, value: value, expecting: nil))
      }
      story += "-- change \(table.name) \(changes.map { "\($0.key.spoken): \($0.value as Any)" })\n"
      return { [changes] in
        _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
      }
    default: break
    }
    let key = newKey(table, &numbers)
    let value = try await newValue(store, table, &numbers)
    story += "-- put \(table.name) \(key.spoken): \(value)\n"
    return { try await store.set(value, key) }
  }

  /// Undoes or redoes all changes.
  ///
  /// - Returns: Whether all of them succeeded.
  func undoAll(isRedo: Bool) async throws -> Bool {
    for index in isRedo ? steps : steps.reversed() {
      let refused = await refusal { try await bench.undo(stores[index], redo: isRedo) }
      said += stores[index].warnings?.take() ?? []
      if let refused {
        said.append(refused)
        return false
      }
    }
    return true
  }

  /// Returns and clears the warnings about the changes.
  func takeRemarks() -> [String] { stores.flatMap { $0.warnings?.take() ?? [] } }

  private func newKey(_ table: RandomSchema.Table, _ numbers: inout SeededNumbers) -> EntryKey {
    let types = table.key.isEmpty ? ["INTEGER"] : table.key.map(\.type)
    let parts = types.map { type -> EntryKey in
      switch schema.keyPart(type, &numbers) {
      case .integer(let number): .integer(number)
      case .text(let text): .text(text)
      default: .null
      }
    }
    return parts.count == 1 ? parts[0] : .composite(parts)
  }

  private func newValue(
    _ store: Store, _ table: RandomSchema.Table, _ numbers: inout SeededNumbers
  ) async throws -> StoredValue {
    guard let template = store.template else {
      return Self.stored(schema.value(table.columns[0].type, &numbers))
    }
    var value = template
    for column in table.columns {
      value = value.setting(column.name, to: try await cell(table, column, &numbers))
    }
    return value
  }

  /// Returns a value with one of its columns changed.
  private func edited(
    _ value: StoredValue, _ store: Store, _ table: RandomSchema.Table,
    _ numbers: inout SeededNumbers
  ) async throws -> StoredValue {
    guard let column = numbers.pick(table.columns) else { return value }
    let cell = try await cell(table, column, &numbers)
    guard case .record = value else { return cell }
    return value.setting(column.name, to: cell)
  }

  /// Returns a random value for a column: for a reference, usually an existing key.
  private func cell(
    _ table: RandomSchema.Table, _ column: (name: String, type: String),
    _ numbers: inout SeededNumbers
  ) async throws -> StoredValue {
    guard let target = table.references[column.name] else {
      return Self.stored(schema.value(column.type, &numbers))
    }
    let parent = schema.tables[target]
    let keys = try await rows(
      path, "SELECT \(parent.key[0].name) FROM \(parent.name) ORDER BY 1"
    ).compactMap(\.first)
    if numbers.chance(1, of: 4) { return .null }
    return Self.stored(numbers.pick(keys) ?? schema.keyPart(column.type, &numbers))
  }

  private static func stored(_ value: SQLiteValue) -> StoredValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .malformedText(let bytes): .malformedText(bytes)
    case .blob(let bytes): .data(bytes)
    }
  }
}
