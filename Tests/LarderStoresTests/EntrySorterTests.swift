import Foundation
import LarderModel
import LarderStores
import LarderStoreBase
import Testing

/// Sorting of entries in memory and in a temporary file.
struct EntrySorterTests {
  private static func entries(_ count: Int) -> [Entry] {
    var random = RandomNumbers(seed: 7)
    return (0..<count).map { number in
      let value = StoredValue.data(Array(repeating: 1, count: Int(random.next() % 5)))
      let key: EntryKey = number % 3 == 0 ? .integer(Int64(number)) : .text("k\(random.next() % 9)")
      let expires =
        random.next() % 4 == 0 ? nil : Date(timeIntervalSince1970: Double(random.next() % 7))
      return Entry(
        key: key, value: value, modified: Date(timeIntervalSince1970: 3.25), expires: expires)
    }
  }

  private func sorted(
    _ entries: [Entry], _ order: EntryOrder, inMemory: Int, first: Int = .max
  ) throws -> [Entry] {
    var sorter = EntrySorter(order, inMemory: inMemory, first: first)
    for entry in entries { try sorter.add(entry) }
    var sorted: [Entry] = []
    try sorter.forEach {
      sorted.append($0)
      return true
    }
    return sorted
  }

  @Test(arguments: [EntryOrder.Field.size, .expires, .type, .modified], [true, false])
  func `Sorting in a file gives the same order as in memory and keeps everything but the value`(
    field: EntryOrder.Field, isDescending: Bool
  ) throws {
    let entries = Self.entries(500)
    let order = EntryOrder(field, isDescending: isDescending)
    let expected = entries.enumerated().sorted { left, right in
      let ranks = (order.rank(of: left.element), order.rank(of: right.element))
      if order.precedes((ranks.0, .null), (ranks.1, .null)) { return true }
      if order.precedes((ranks.1, .null), (ranks.0, .null)) { return false }
      return left.offset < right.offset
    }.map(\.element)
    for limit in [0, 10, 499, 500, .max] {
      let sorted = try sorted(entries, order, inMemory: limit)
      #expect(sorted.map(\.key) == expected.map(\.key))
      #expect(sorted.map(\.expires) == expected.map(\.expires))
      #expect(sorted.map(\.fingerprint) == expected.map(\.fingerprint))
      #expect(sorted.map(\.size) == expected.map(\.size))
      #expect(sorted.map(\.type) == expected.map(\.type))
      #expect(sorted.allSatisfy { $0.value == nil && $0.modified == entries.first?.modified })
    }
  }

  @Test(arguments: [EntryOrder.Field.size, .expires, .key], [true, false])
  func `A limited sort returns the first entries of the full sort`(
    field: EntryOrder.Field, isDescending: Bool
  ) throws {
    let entries = Self.entries(500)
    let order = EntryOrder(field, isDescending: isDescending)
    let all = try sorted(entries, order, inMemory: .max)
    for first in [0, 1, 3, 40, 499, 500, .max] {
      for inMemory in [0, 3, 10, 80, 400] {
        let sorted = try sorted(entries, order, inMemory: inMemory, first: first)
        #expect(
          sorted.prefix(first).map(\.key) == all.prefix(first).map(\.key),
          "first \(first) of \(inMemory)")
      }
    }
  }

  @Test(arguments: [3, 100]) func `Iteration stops when the caller has enough`(inMemory: Int) throws
  {
    var sorter = EntrySorter(EntryOrder(.size), inMemory: inMemory)
    for entry in Self.entries(20) { try sorter.add(entry) }
    var count = 0
    try sorter.forEach { _ in
      count += 1
      return count < 5
    }
    #expect(count == 5)
  }
}

/// Reproducible pseudorandom numbers.
private struct RandomNumbers {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
