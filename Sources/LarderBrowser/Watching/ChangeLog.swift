package import Foundation
package import LarderModel

/// What others changed in a store since watching began: the latest changes, and how many there were.
package struct ChangeLog: Sendable, Equatable {
  /// A change.
  package struct Item: Sendable, Equatable {
    /// The order in which changes were seen, from 1.
    package let number: Int
    /// When the change was seen.
    package let time: Date
    /// The change as a line of a list.
    package let line: ListedDifference
    /// The change with its values; nil where these are large.
    package let difference: EntryDifference?
  }

  /// The latest changes, oldest first.
  package private(set) var items: [Item] = []
  /// How many changes of each kind there were.
  package private(set) var counts: [EntryDifference.Change: Int] = [:]
  /// How many changes were seen.
  private var seen = 0

  /// The maximum number of changes in memory.
  package static let capacity = 1_000
  /// The maximum number of bytes of the values of a change in memory.
  private static let maximumSize = 16 << 10

  package init() {}

  /// Adds what a report tells.
  package mutating func take(_ report: WatchReport) {
    for (change, count) in report.counts { counts[change, default: 0] += count }
    for difference in report.differences.suffix(Self.capacity) {
      seen += 1
      let size = (difference.value?.storedSize ?? 0) + (difference.old?.storedSize ?? 0)
      items.append(
        Item(
          number: seen, time: report.time, line: ListedDifference(difference),
          difference: size <= Self.maximumSize ? difference : nil))
    }
    items.removeFirst(max(0, items.count - Self.capacity))
  }

  /// The counts as the status line has them, such as `+3 ~12 −1`.
  package var summary: String {
    let kinds: [EntryDifference.Change] = [.added, .changed, .removed, .expired]
    return kinds.compactMap { kind in counts[kind].map { "\(kind.mark)\($0)" } }
      .joined(separator: " ")
  }
}
