/// A change of many entries that is under way.
package struct WorkModel: Sendable, Equatable {
  /// What is done to the entries.
  package enum Kind: Sendable, Equatable {
    case deletion
    /// They are copied to another store.
    case copy
    /// They are copied to another store, then deleted.
    case move
    /// They get other keys.
    case rename
    /// They get another expiry.
    case expiry
    /// A cache reads them again.
    case refresh
    /// They are taken out of a cache.
    case eviction

    /// Whether a cache does it, while the user may do something else.
    package var isOfCache: Bool { self == .refresh || self == .eviction }

    /// What was done to entries of which it is said how many they were when it was stopped.
    var participle: String {
      switch self {
      case .deletion: "deleted"
      case .copy: "copied"
      case .move: "moved"
      case .rename: "renamed"
      case .expiry: "changed"
      case .refresh: "refreshed"
      case .eviction: "evicted"
      }
    }
  }

  /// What is done.
  package let kind: Kind
  /// How many entries there are; nil where only the store knows.
  package let total: Int?
  /// How far it has come.
  package var report: WorkReport
  /// Whether it was told to stop.
  package var isStopping = false

  package init(token: Int, total: Int?, _ kind: Kind = .deletion) {
    self.kind = kind
    self.total = total
    report = WorkReport(token: token, read: 0, changed: 0)
  }
}
