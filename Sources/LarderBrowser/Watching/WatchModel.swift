package import LarderModel

/// What others have changed in the store that is shown, while it is watched.
package struct WatchModel: Sendable, Equatable {
  /// The token of the effect.
  package let token: Int
  /// What became of keys since the watch began, or since they were last taken note of.
  package private(set) var changes: [EntryKey: EntryDifference] = [:]
  /// What was changed since the watch began, in order.
  package internal(set) var log = ChangeLog()
  /// Whether it goes on with a watch of which everything was said.
  package private(set) var isContinued = false

  /// The maximum number of keys that are marked.
  private static let capacity = 10_000

  package init(token: Int) {
    self.token = token
  }

  /// The watch of the same store when it is shown again.
  func again(_ token: Int) -> WatchModel {
    var watch = WatchModel(token: token)
    watch.changes = changes
    watch.log = log
    watch.isContinued = true
    return watch
  }

  /// Whether changes can be taken in without forgetting earlier ones.
  func hasRoom(for differences: [EntryDifference]) -> Bool {
    changes.count + differences.count <= Self.capacity
  }

  /// Takes in changes, in the place of earlier ones where there is no room for both.
  mutating func take(_ differences: [EntryDifference]) {
    if !hasRoom(for: differences) { changes = [:] }
    for difference in differences { changes[difference.key] = difference }
  }

  /// Forgets the keys that are gone, and answers with them.
  mutating func takeRemoved() -> [EntryKey] {
    let gone = changes.values.filter { $0.change == .removed }.map(\.key)
    for key in gone { changes[key] = nil }
    return gone
  }

  /// Forgets what became of a key, which the user changed.
  mutating func forget(_ key: EntryKey) {
    changes[key] = nil
  }
}
