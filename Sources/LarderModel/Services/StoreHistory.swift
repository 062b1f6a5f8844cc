public import Foundation

/// The recorded changes of a store, which can be undone and redone.
///
/// It is safe to use from any thread. Each change is recorded on disk before the store is modified,
/// so that it can be undone in a later run.
public protocol StoreHistory: Sendable {
  /// Returns the changes that can be undone or redone.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to return the changes to redo.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes, beginning with the next one.
  /// - Throws: ``StoreError`` if the history cannot be read.
  func steps(isRedo: Bool, limit: Int) async throws -> [ChangeSummary]

  /// Returns a page of the store's recorded changes, newest first and including undone ones.
  ///
  /// - Parameters:
  ///   - offset: The number of newest changes to skip.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes and their total number.
  /// - Throws: ``StoreError`` if the history cannot be read.
  func page(from offset: Int, limit: Int) async throws -> HistoryPage

  /// Returns the entries of a change, before and after it.
  ///
  /// - Parameters:
  ///   - number: The number of the change; if it does not exist, the result is empty.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries in the order in which they were changed.
  /// - Throws: ``StoreError`` if the history cannot be read.
  func entries(of number: Int64, limit: Int) async throws -> [ChangedEntry]

  /// Undoes or redoes a change, if its entries have not changed since.
  ///
  /// - Parameter request: The change and the direction.
  /// - Returns: The updated change.
  /// - Throws: ``StoreError/conflict(current:)`` if an entry has changed since, or
  ///   ``StoreError/notFound(_:)`` if there is no such change; nothing is changed then.
  func replay(_ request: ReplayRequest) async throws -> ChangeSummary

  /// Returns the entries that conflict with an undo or redo because they have changed since.
  ///
  /// - Parameters:
  ///   - request: The change and the direction; if it does not exist, the result is empty.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries, each as the change left it and as it is now.
  /// - Throws: ``StoreError`` if the history or the store cannot be read, or if a later change must
  ///   be undone first.
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [UndoConflict]

  /// Returns an entry as it was before its last change that was not undone, even under an earlier
  /// key.
  ///
  /// - Returns: The entry, with the time of the change as `modified` and without a value if the
  ///   change added it; nil if no change of the entry is known.
  /// - Throws: ``StoreError`` if the history cannot be read.
  func entry(before key: EntryKey) async throws -> Entry?

  /// Returns the recorded change, or the undone one, that left each entry as it is now.
  ///
  /// - Parameter entries: The current entries, without a value if they were deleted.
  /// - Returns: The changes by key; an entry without one was changed by another program or never.
  /// - Throws: ``StoreError`` if the history cannot be read.
  func steps(leaving entries: [Entry]) async throws -> [EntryKey: ChangeSummary]
}

/// A page of a store's recorded changes, newest first.
public struct HistoryPage: Sendable, Hashable {
  /// The total number of changes of the store.
  public let count: Int
  /// The number of newer changes before the first one of the page.
  public let offset: Int
  /// The changes.
  public let records: [JournalRecord]
  /// The number of the change that undo reverts next; nil if there is none.
  public let nextUndo: Int64?
  /// The number of the change that redo repeats next; nil if there is none.
  public let nextRedo: Int64?

  package init(
    count: Int, offset: Int, records: [JournalRecord], nextUndo: Int64? = nil,
    nextRedo: Int64? = nil
  ) {
    self.count = count
    self.offset = offset
    self.records = records
    self.nextUndo = nextUndo
    self.nextRedo = nextRedo
  }
}

/// An entry of a recorded change, before and after it.
public struct ChangedEntry: Sendable, Hashable {
  /// The key before the change.
  public let key: EntryKey
  /// The new key of a rename; nil if the key stayed the same.
  public let newKey: EntryKey?
  /// The value or expiry before the change; nil if there was none, and for a rename.
  public let before: StoredValue?
  /// The value or expiry after the change.
  public let after: StoredValue?

  package init(
    _ key: EntryKey, newKey: EntryKey? = nil, before: StoredValue?, after: StoredValue?
  ) {
    self.key = key
    self.newKey = newKey
    self.before = before
    self.after = after
  }
}

/// A request to undo or redo a change.
public struct ReplayRequest: Sendable, Hashable {
  /// Whether to redo the change.
  public var isRedo: Bool
  /// The number of the change; nil for the next one of the store.
  public var step: Int64?
  /// Whether to remove the change from the history after it is undone.
  public var isForgotten: Bool

  /// Creates a request.
  public init(isRedo: Bool = false, step: Int64? = nil, isForgotten: Bool = false) {
    self.isRedo = isRedo
    self.step = step
    self.isForgotten = isForgotten
  }
}

/// A description of a recorded change, for messages and lists.
public struct ChangeSummary: Sendable, Hashable {
  /// The kind of the change.
  public enum Action: String, Sendable, Hashable {
    /// Entries were written, and possibly others deleted.
    case write
    /// Entries were deleted.
    case delete
    /// Entries were renamed.
    case rename
    /// Expiries that are stored separately from the entries were set.
    case touch
    /// Cached entries were refreshed from the backing store.
    case refresh
    /// Entries were evicted from a cache, but not deleted from the backing store.
    case evict

    /// Whether only the content of a cache was changed.
    package var isOfCache: Bool { self == .refresh || self == .evict }
  }

  /// The number of the change; later changes have larger numbers.
  public package(set) var number: Int64
  /// The kind of the change.
  public let action: Action
  /// The number of entries affected.
  public package(set) var count: Int
  /// The key of the first entry affected.
  public package(set) var key: EntryKey
  /// The new key of the first entry; nil if it stayed the same.
  public let newKey: EntryKey?
  /// Whether the change was undone.
  public package(set) var isUndone: Bool
  /// The time of the change; nil if the caller did not request it.
  public var time: Date?
  /// The changed columns, if a single row was changed in place; empty if they are not known.
  public var columns: [String] = []
  /// The key path of the member that contains all differences, within the value or its only changed
  /// column, such as `users[0].name`; nil if that is the whole value or not known.
  public var member: String?

  /// Creates a description of a change.
  public init(
    number: Int64, action: Action, count: Int, key: EntryKey, newKey: EntryKey? = nil,
    isUndone: Bool, columns: [String] = [], member: String? = nil
  ) {
    self.columns = columns
    self.member = member
    self.number = number
    self.action = action
    self.count = count
    self.key = key
    self.newKey = newKey
    self.isUndone = isUndone
  }
}
