import LarderCore
import Testing

@testable import LarderStores

/// The order in which rows are deleted that refer to each other.
struct ReferrersFirstTests {
  /// Takes rows, each of which may refer to another, and counts what is asked.
  private func take(
    _ rows: [Int], _ targets: [Int: Int]
  ) throws -> (taken: [Int], left: [Int], asked: Int) {
    var referrers: [Int: Set<Int>] = [:]
    for (row, target) in targets { referrers[target, default: []].insert(row) }
    var taken: [Int] = []
    var asked = 0
    func current(_ key: EntryKey) -> [Int] {
      asked += 1
      guard case .integer(let row) = key else { return [] }
      return referrers[Int(row), default: []].sorted()
    }
    let left = try ReferrersFirst(rows) { .integer(Int64($0)) }.take {
      current($0).isEmpty
    } referrers: {
      current($0).map { .integer(Int64($0)) }
    } _: { row in
      taken.append(row)
      if let target = targets[row] { referrers[target]?.remove(row) }
    }
    return (taken, left, asked)
  }

  /// Some order of numbers that is neither theirs nor the opposite.
  private func mixed(_ count: Int) -> [Int] {
    (0..<count).map { $0 * 7919 % count }
  }

  @Test func `A chain goes from its end, and each row is asked about a few times`() throws {
    let count = 2_000
    let chain = Dictionary(uniqueKeysWithValues: (1..<count).map { ($0, $0 - 1) })
    let (taken, left, asked) = try take(mixed(count), chain)
    #expect(taken == (0..<count).reversed())
    #expect(left.isEmpty)
    #expect(asked <= 3 * count)
  }

  @Test func `A tree goes from its leaves`() throws {
    let count = 500
    let tree = Dictionary(uniqueKeysWithValues: (1..<count).map { ($0, ($0 - 1) / 3) })
    let (taken, left, asked) = try take(mixed(count), tree)
    #expect(Set(taken) == Set(0..<count) && left.isEmpty && asked <= 3 * count)
    let places = Dictionary(uniqueKeysWithValues: taken.enumerated().map { ($1, $0) })
    #expect(tree.allSatisfy { row, target in (places[row] ?? 0) < (places[target] ?? 0) })
  }

  @Test func `Rows in a circle stay, and so does what another row refers to`() throws {
    let (taken, left, _) = try take([1, 2, 3, 4, 5, 6], [1: 2, 2: 3, 3: 1, 4: 3, 5: 6, 9: 5])
    #expect(taken == [4])
    #expect(left == [1, 2, 3, 5, 6])
  }
}
