package import LarderModel

/// The changes by other programs in a store that is being watched.
package struct WatchModel: Sendable, Equatable {
  /// The token of the effect.
  package let token: Int
  /// The last change of each key since watching began or the user dealt with it.
  package private(set) var changes: [EntryKey: EntryDifference] = [:]
  /// The log of changes since watching began.
  package internal(set) var log = ChangeLog()
  /// Whether this continues an earlier watch, whose limitations have been reported.
  package private(set) var isContinued = false

  /// The maximum number of marked keys.
  private static let capacity = 10_000

  package init(token: Int) {
    self.token = token
  }

  /// Returns the watch for the same store when it is shown again.
  func again(_ token: Int) -> WatchModel {
    var watch = WatchModel(token: token)
    watch.changes = changes
    watch.log = log
    watch.isContinued = true
    return watch
  }

  /// Returns whether changes can be added without discarding earlier ones.
  func hasRoom(for differences: [EntryDifference]) -> Bool {
    changes.count + differences.count <= Self.capacity
  }

  /// Adds changes, and discards earlier ones if there is no room for both.
  mutating func take(_ differences: [EntryDifference]) {
    if !hasRoom(for: differences) { changes = [:] }
    for difference in differences { changes[difference.key] = difference }
  }

  /// Discards the removed keys and returns them.
  mutating func takeRemoved() -> [EntryKey] {
    let gone = changes.values.filter { $0.change == .removed }.map(\.key)
    for key in gone { changes[key] = nil }
    return gone
  }

  /// Discards the change of a key that the user has changed.
  mutating func forget(_ key: EntryKey) {
    changes[key] = nil
  }
}
