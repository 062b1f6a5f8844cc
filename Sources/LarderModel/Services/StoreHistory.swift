public import Foundation

/// The recorded changes of a store, and how they are undone and redone.
///
/// Safe from any thread. A change is on the disk before the store is touched, so later runs can undo
/// it.
public protocol StoreHistory: Sendable {
  /// The steps that can be undone, or redone.
  ///
  /// - Parameters:
  ///   - isRedo: Whether steps to redo are wanted.
  ///   - limit: The maximum number of steps.
  /// - Returns: The steps, the next one first.
  /// - Throws: ``StoreError`` where the history cannot be read.
  func steps(isRedo: Bool, limit: Int) async throws -> [JournalStep]

  /// Some of the recorded steps of the store, newest first, also those that were undone.
  ///
  /// - Parameters:
  ///   - offset: How many of the newest are left out.
  ///   - limit: The maximum number of steps.
  /// - Returns: The steps, and how many there are in all.
  /// - Throws: ``StoreError`` where the history cannot be read.
  func page(from offset: Int, limit: Int) async throws -> HistoryPage

  /// The entries of a step as they were before it and as they became.
  ///
  /// - Parameters:
  ///   - number: The number of the step; one that does not exist has none.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries, in the order in which they were changed.
  /// - Throws: ``StoreError`` where the history cannot be read.
  func entries(of number: Int64, limit: Int) async throws -> [StepEntry]

  /// Undoes or redoes a step, if every entry still is what the step left.
  ///
  /// - Parameter request: Which step, and in which direction.
  /// - Returns: The step as it is then.
  /// - Throws: ``StoreError/conflict(current:)`` where an entry was changed since, and
  ///   ``StoreError/notFound(_:)`` where there is no such step; nothing is changed then.
  func replay(_ request: ReplayRequest) async throws -> JournalStep

  /// The entries that conflict with undoing or redoing a step, as they were changed since.
  ///
  /// - Parameters:
  ///   - request: The step; one that does not exist has none.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries, each as it was left and as it is now.
  /// - Throws: ``StoreError`` where the history or the store cannot be read, and where a later step has
  ///   to be undone before.
  func conflicts(of request: ReplayRequest, limit: Int) async throws -> [StepConflict]

  /// An entry as it was before its last change that was not undone, also under an earlier key.
  ///
  /// - Returns: The entry with the time of the change as `modified`, and no value where the change
  ///   added it; nil where no change of it is known.
  /// - Throws: ``StoreError`` where the history cannot be read.
  func entry(before key: EntryKey) async throws -> Entry?
}

/// Some of the recorded steps of a store, newest first.
public struct HistoryPage: Sendable, Hashable {
  /// How many steps the store has in all.
  public let count: Int
  /// How many of the newest come before the first of these.
  public let offset: Int
  /// The steps.
  public let records: [JournalRecord]

  package init(count: Int, offset: Int, records: [JournalRecord]) {
    self.count = count
    self.offset = offset
    self.records = records
  }
}

/// An entry of a step, as it was before the step and as it became.
public struct StepEntry: Sendable, Hashable {
  /// The key before the step.
  public let key: EntryKey
  /// The key that a rename gave it; nil where it kept its own.
  public let newKey: EntryKey?
  /// The value, or the expiry, before the step; nil where there was none, and of a rename.
  public let before: StoredValue?
  /// The same afterwards.
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

/// Which step is to be undone or redone.
public struct ReplayRequest: Sendable, Hashable {
  /// Whether the step is redone.
  public var isRedo: Bool
  /// The number of the step; nil for the next one of the store.
  public var step: Int64?
  /// Whether the history forgets the step once it is undone.
  public var isForgotten: Bool

  /// Creates a request for a step.
  public init(isRedo: Bool = false, step: Int64? = nil, isForgotten: Bool = false) {
    self.isRedo = isRedo
    self.step = step
    self.isForgotten = isForgotten
  }
}

/// What a step of the journal does, for messages and lists.
public struct JournalStep: Sendable, Hashable {
  /// What was done.
  public enum Action: String, Sendable, Hashable {
    /// Entries were written, or written and removed.
    case write
    /// Entries were removed.
    case delete
    /// Entries got other keys.
    case rename
    /// It was said when entries expire, where that is no part of what is stored.
    case touch
    /// A cache has read entries again, from the backing store.
    case refresh
    /// Entries were taken out of a cache, and not out of the backing store.
    case evict

    /// Whether only what a cache holds was changed.
    package var isOfCache: Bool { self == .refresh || self == .evict }
  }

  /// The number of the step, which grows with time.
  public package(set) var number: Int64
  /// What was done.
  public let action: Action
  /// How many entries it concerned.
  public package(set) var count: Int
  /// The key of the first of them.
  public package(set) var key: EntryKey
  /// The key that this one got, nil where it kept its own.
  public let newKey: EntryKey?
  /// Whether it was taken back.
  public package(set) var isUndone: Bool
  /// When the change was made; nil where nobody asked for it.
  public var time: Date?
  /// The columns of which it changed the values, where it concerned one row that is there before and
  /// afterwards; none where that is not known.
  public var columns: [String] = []
  /// The member of the value, or of the one column, that holds all that it changed, such as
  /// `users[0].name`; nil where that is all of it, or not known.
  public var member: String?

  /// Describes a step.
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

  /// What stands before the key in a sentence about the step: `name of `, `[0].x in name of `, or
  /// nothing.
  package func columnText(leavingOut left: String? = nil) -> String {
    let names = columns.filter { name in left.map { !name.hasBytes(of: $0) } ?? true }
    switch names.count {
    case 0: return member.map { "\($0) of " } ?? ""
    case 1 where member != nil: return "\(member ?? "") in \(names[0]) of "
    case 1, 2: return "\(names.joined(separator: " and ")) of "
    default: return "\(names.count) columns of "
    }
  }
}
