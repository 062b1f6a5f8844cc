import Foundation
import Testing

@testable import Harmony

/// What defaults take of memory and disk when much comes and goes.
@Suite struct DefaultsGrowthTests {
  private let suite = StorePlaces.suite()

  @Test func `Keys that are removed make neither the journal nor the memory grow`() throws {
    let defaults = StorePlaces.defaults(suite)
    // Large enough that not every change is saved at once.
    defaults.set(String(repeating: "x", count: 9_000), forKey: "foreign")
    defaults.synchronize()
    let state = DefaultsState(try DefaultsSuite(defaults), DefaultsHandle(defaults: defaults))
    var size = 0
    var count = 0
    for round in 0..<120 {
      let addresses = (0..<100).map { DefaultsAddress(key: "\(round).\($0)") }
      try state.write(addresses.map { ($0, DefaultsEntry(value: .integer(1), isList: false)) })
      try state.write(addresses.map { ($0, DefaultsEntry(value: nil)) })
      size = max(size, FileStamp(path: StorePlaces.journal(suite))?.size ?? 0)
      count = max(count, state.table.entries.count)
    }
    // 12,000 keys were there, which take 1.1 MB.
    #expect(size < 300_000)
    #expect(count < 6_000)
  }

  @Test func `The cost is that of the entries that a journal keeps`() {
    var table = DefaultsTable()
    let kept = DefaultsEntry(value: .integer(1), sequence: 1)
    let address = DefaultsAddress(key: "kept")
    table.apply(.changes([(address, kept)]))
    let other = DefaultsAddress(key: "other")
    table.apply(.changes([(other, DefaultsEntry(value: .integer(2), sequence: 2))]))
    let removal = DefaultsEntry(value: nil, sequence: 3)
    table.apply(.changes([(other, removal)]))
    #expect(table.cost == kept.cost(of: address) + removal.cost(of: other))
    table.apply(.saved(3))
    #expect(table.cost == kept.cost(of: address))
    table.forgetRemovals()
    #expect(table.entries.count == 1)
    #expect(table.cost == kept.cost(of: address))
    table.apply(.changes([(address, DefaultsEntry(value: nil, sequence: 4))]))
    table.apply(.saved(4))
    #expect(table.cost == 0)
  }

  @Test func `The records of a compacted journal are bounded by their bytes`() {
    var table = DefaultsTable()
    let value = DefaultsValue.data(Data(repeating: 7, count: 10_000))
    for index in 0..<300 {
      let entry = DefaultsEntry(value: value, isList: false, sequence: UInt64(index + 1))
      table.apply(.changes([(DefaultsAddress(key: "\(index)"), entry)]))
    }
    let large = DefaultsValue.data(Data(repeating: 8, count: 3 * DefaultsTable.recordSize))
    let last = DefaultsEntry(value: large, isList: false, sequence: 301)
    table.apply(.changes([(DefaultsAddress(key: "large"), last)]))
    table.apply(.saved(200))
    var again = DefaultsTable()
    for record in table.records {
      again.apply(record)
      guard case .changes(let changes) = record else { continue }
      #expect(!changes.isEmpty)
      #expect(changes.count == 1 || record.bytes.count <= DefaultsTable.recordSize)
    }
    #expect(again.entries.count == 301)
    #expect(again.cost == table.cost)
    #expect(again.saved == 200)
    // One record for each entry would be a waste.
    #expect(table.records.count < 100)
  }
}
