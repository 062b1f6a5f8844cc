package import Foundation
package import LarderModel

/// The latest changes by other programs since watching began, with the counts of all changes.
package struct ChangeLog: Sendable, Equatable {
  /// A change.
  package struct Item: Sendable, Equatable {
    /// The number of the change in the order of detection, from 1.
    package let number: Int
    /// The date on which the change was detected.
    package let time: Date
    /// The change as a row of the list.
    package let line: ListedDifference
    /// The change with its values, or `nil` if these are large.
    package let difference: EntryDifference?
  }

  /// The latest changes, oldest first.
  package private(set) var items: [Item] = []
  /// The number of changes of each kind.
  package private(set) var counts: [EntryDifference.Change: Int] = [:]
  /// Whether others changed something that is not listed, as the store has too many entries.
  package private(set) var isPartial = false
  /// The total number of changes.
  private var seen = 0

  /// The maximum number of changes in memory.
  package static let capacity = 1_000
  /// The maximum size in bytes of the values of a change in memory.
  private static let maximumSize = 16 << 10

  package init() {}

  /// Adds the changes in a report.
  package mutating func take(_ report: WatchReport) {
    if report.isPartial, !report.isOwn { isPartial = true }
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

  /// The counts for the status line, such as `+3 ~12 −1`.
  package var summary: String {
    let kinds: [EntryDifference.Change] = [.added, .changed, .removed, .expired]
    return kinds.compactMap { kind in counts[kind].map { "\(kind.mark)\($0)" } }
      .joined(separator: " ")
  }
}
