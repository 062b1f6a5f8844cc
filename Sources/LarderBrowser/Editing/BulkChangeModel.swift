/// A bulk change in progress.
package struct BulkChangeModel: Sendable, Equatable {
  /// The kind of change.
  package enum Kind: Sendable, Equatable {
    case deletion
    /// Copying to another store.
    case copy
    /// Copying to another store, then deleting.
    case move
    /// Writing the entries of a file.
    case `import`
    /// Changing the keys.
    case rename
    /// Changing the expiry.
    case expiry
    /// Reading the entries of a cache again from its backing store.
    case refresh
    /// Removing the entries from a cache only.
    case eviction

    /// Whether the change affects only a cache, so that the user can continue to work.
    package var isOfCache: Bool { self == .refresh || self == .eviction }

    /// The past participle used in messages about a stopped change.
    var participle: String {
      switch self {
      case .deletion: "deleted"
      case .copy: "copied"
      case .move: "moved"
      case .import: "imported"
      case .rename: "renamed"
      case .expiry: "changed"
      case .refresh: "refreshed"
      case .eviction: "evicted"
      }
    }
  }

  /// The kind of the change.
  package let kind: Kind
  /// The number of entries to change, or `nil` if only the store knows.
  package let total: Int?
  /// The progress so far.
  package var report: BulkChangeProgress
  /// Whether the user has asked to stop.
  package var isStopping = false
  /// Whether the user has been told that quitting waits for the change.
  package var hasWarnedOfQuitting = false

  package init(token: Int, total: Int?, _ kind: Kind = .deletion) {
    self.kind = kind
    self.total = total
    report = BulkChangeProgress(token: token, read: 0, changed: 0)
  }
}
