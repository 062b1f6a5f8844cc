public import Harmony

/// Takes back a step of the journal, or does it again.
///
/// `put` without a value, at a store with a journal, answers with the step as an entry; see
/// ``JournalStep``. The entries of the step are compared with what the step left behind first: the
/// future fails with ``StoreError/conflict(current:)``, and nothing is changed, where one is
/// something else. Stores without a journal answer with `QueryNotSupported`.
public struct UndoQuery: Query, Hashable {
  /// Whether a step that was taken back is done again.
  public var isRedo: Bool
  /// The number of the step; nil for the last one of the store.
  public var step: Int64?
  /// Whether the journal forgets the step once it is taken back, as nobody is to make it again.
  public var isForgotten: Bool

  /// Creates a query for a step.
  public init(isRedo: Bool = false, step: Int64? = nil, isForgotten: Bool = false) {
    self.isRedo = isRedo
    self.step = step
    self.isForgotten = isForgotten
  }
}

/// Asks the journal what an entry was before its last change that was not taken back.
///
/// `get`, at a store with a journal, answers with an entry that has the key it had then, the time of
/// the change as `modified`, and no value where the change added it. An entry that got another key is
/// followed back through that. The future fails with `NotFound` where the journal has no change of
/// it; stores without a journal answer with `QueryNotSupported`.
public struct EntryBeforeQuery: Query, Hashable {
  /// The key that the entry has now.
  public var key: EntryKey

  /// Creates a query for a key.
  public init(_ key: EntryKey) {
    self.key = key
  }
}

/// Asks the journal for the steps of a store that can be taken back, or done again.
///
/// `getAll`, at a store with a journal, answers with the steps as entries, the next one first, each
/// with the time of its change as `modified`; see ``JournalStep``. Stores without a journal answer
/// with `QueryNotSupported`.
public struct JournalStepsQuery: Query, Hashable {
  /// Whether it is about steps that were taken back.
  public var isRedo: Bool
  /// The greatest number of steps.
  public var limit: Int

  /// Creates a query for the steps of a store.
  public init(isRedo: Bool = false, limit: Int) {
    self.isRedo = isRedo
    self.limit = limit
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
    /// It was said until when entries count, where that is no part of what is stored.
    case touch
    /// A cache has read entries anew, from the source underneath.
    case refresh
    /// Entries were taken out of a cache, and not out of the source underneath.
    case evict

    /// Whether only what a cache holds was changed.
    package var isOfCache: Bool { self == .refresh || self == .evict }
  }

  /// The number of the step, which grows with time.
  public let number: Int64
  /// What was done.
  public let action: Action
  /// How many entries it concerned.
  public let count: Int
  /// The key of the first of them.
  public let key: EntryKey
  /// The key that this one got, nil where it kept its own.
  public let newKey: EntryKey?
  /// Whether it was taken back.
  public let isUndone: Bool
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

  /// The step that an entry carries, nil where it carries none.
  public init?(_ entry: Entry) {
    guard case .array(let parts) = entry.value, parts.count == 7,
      case .integer(let number) = parts[0], case .text(let word) = parts[1],
      let action = Action(rawValue: word), case .integer(let count) = parts[2],
      case .bool(let isUndone) = parts[3], case .array(let names) = parts[5]
    else { return nil }
    let newKey: EntryKey? =
      if case .data(let bytes) = parts[4] { EntryCoding.key(bytes) } else { nil }
    let member: String? = if case .text(let name) = parts[6] { name } else { nil }
    self.init(
      number: number, action: action, count: Int(count), key: entry.key, newKey: newKey,
      isUndone: isUndone,
      columns: names.compactMap { if case .text(let name) = $0 { name } else { nil } },
      member: member)
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

  /// The entry that carries the step.
  public var entry: Entry {
    Entry(
      key: key,
      value: .array([
        .integer(number), .text(action.rawValue), .integer(Int64(count)), .bool(isUndone),
        newKey.map { .data(EntryCoding.encode($0)) } ?? .null,
        .array(columns.map(StoredValue.text)), member.map(StoredValue.text) ?? .null,
      ]))
  }
}
