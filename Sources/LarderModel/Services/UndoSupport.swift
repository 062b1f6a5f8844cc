package import Harmony

/// How the stores of a kind support undo.
///
/// The journal records every entry of a change as it was and as it became. What a change does beside
/// its entries, such as the rows of triggers or the bytes of a file, the store records itself, in a
/// form that only it reads. Everything here has a default for stores whose changes are all in their
/// entries.
package protocol UndoSupport: Sendable {
  /// Whether the store answers ``RecordedChangeQuery``.
  var recordsChanges: Bool { get }

  /// Whether what the store records tells all entries that were changed together, and the store answers
  /// ``RecordedDeletionQuery``: then the journal keeps only the first of them itself.
  var recordsEntries: Bool { get }

  /// The entries that a recorded change of values changed.
  ///
  /// - Parameter record: What the store recorded.
  /// - Returns: The entries as they were and as they became, as far as the record tells them: what a
  ///   store computes may be missing in their values.
  /// - Throws: ``StoreError`` where the record does not fit the store any more.
  func entries(of record: [UInt8]) async throws -> [RecordedEntry]

  /// Whether a recorded change was made, of a process that was killed.
  ///
  /// - Parameter record: What the store recorded.
  /// - Returns: nil where that cannot be told, as others have changed the entries since.
  /// - Throws: ``StoreError`` where the store cannot be read.
  func isMade(_ record: [UInt8]) async throws -> Bool?

  /// Whether the store calls ``ChangeRecord/reportWriting()`` when it begins to write, so that an error
  /// before that has changed nothing.
  var reportsWriting: Bool { get }

  /// Whether changes are lost with this process, so that no other can undo them.
  var isOfOneProcess: Bool { get }

  /// A value as the store answers with it once it is written.
  func asKept(_ value: StoredValue) -> StoredValue

  /// Whether an error of a write shows that the store was not reached.
  func isUnreached(_ error: any Error) -> Bool

  /// Removes the new name of an entry that has two, as a rename was interrupted.
  ///
  /// - Parameters:
  ///   - newKey: The name to remove.
  ///   - key: The name that stays.
  ///   - fingerprint: What is under both.
  ///   - source: The store's source.
  /// - Throws: ``StoreError`` where it cannot be removed, or is another entry by now.
  func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws
}

extension UndoSupport {
  package var recordsChanges: Bool { false }
  package var recordsEntries: Bool { false }
  package var reportsWriting: Bool { false }
  package var isOfOneProcess: Bool { false }

  package func entries(of record: [UInt8]) async throws -> [RecordedEntry] { [] }

  package func isMade(_ record: [UInt8]) async throws -> Bool? { nil }

  package func asKept(_ value: StoredValue) -> StoredValue { value }

  /// Makes a change, or undoes or redoes it, if every entry is what the change expects.
  ///
  /// - Parameters:
  ///   - change: What is to be changed.
  ///   - record: What the store recorded of it, or is to record.
  ///   - source: The store's source, with every decorator over it.
  /// - Returns: The entries that were written, as stored.
  /// - Throws: ``StoreError/conflict(current:)`` where an entry is something else.
  package func commit(
    _ change: StoreChange, _ record: ChangeRecord, in source: AnyDataSource<Entry>
  ) async throws -> [Entry] {
    let query: any Query = recordsChanges ? RecordedChangeQuery(change, record) : change.query
    return try await source.putAll([], in: query).get()
  }

  package func isUnreached(_ error: any Error) -> Bool { false }

  package func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {}
}

/// Changes of values, or new names, that are made in one step.
package enum StoreChange: Sendable {
  case changes(ChangesQuery)
  case renames(RenamesQuery)

  /// The query that makes it at any store.
  package var query: any Query {
    switch self {
    case .changes(let query): query
    case .renames(let query): query
    }
  }

  /// Where progress is reported.
  package var scan: Scan? {
    switch self {
    case .changes(let query): query.scan
    case .renames(let query): query.scan
    }
  }

  /// The keys under which there are no entries afterwards.
  package var leftKeys: [EntryKey] {
    switch self {
    case .changes(let query): query.changes.filter { $0.value == nil }.map(\.key)
    case .renames(let query): query.renames.map(\.entryKey)
    }
  }

  /// The keys under which there are entries afterwards.
  package var writtenKeys: [EntryKey] {
    switch self {
    case .changes(let query): query.changes.filter { $0.value != nil }.map(\.key)
    case .renames(let query): query.renames.map(\.newKey)
    }
  }
}

/// A change with its record, for stores that record what they do beside the entries.
///
/// Answered by `putAll` as ``ChangesQuery`` and ``RenamesQuery`` are.
package struct RecordedChangeQuery: Query {
  package let change: StoreChange
  package let record: ChangeRecord

  package init(_ change: StoreChange, _ record: ChangeRecord) {
    self.change = change
    self.record = record
  }
}

/// Deletes every entry that begins with a prefix, whatever it is, and records them.
///
/// Answered by `delete` of stores whose ``UndoSupport/recordsEntries`` says so.
package struct RecordedDeletionQuery: Query {
  package let query: PrefixQuery
  package let record: ChangeRecord

  package init(_ query: PrefixQuery, _ record: ChangeRecord) {
    self.query = query
    self.record = record
  }
}

/// An entry that a recorded change changed.
package struct RecordedEntry: Sendable, Hashable {
  package let key: EntryKey
  /// The value before; nil where there was none.
  package let before: StoredValue?
  /// The value afterwards; nil where there is none.
  package let after: StoredValue?

  package init(_ key: EntryKey, before: StoredValue?, after: StoredValue?) {
    self.key = key
    self.before = before
    self.after = after
  }

  /// What is recorded of a value: a row without the columns that the store computes.
  package func recorded(of found: StoredValue?) -> StoredValue? {
    guard case .record(let known)? = before ?? after, case .record(let fields)? = found else {
      return found
    }
    return .record(fields.filter { field in known.contains { $0.name == field.name } })
  }
}

/// What a store records of a change beside its entries, and reads when the change is undone or redone.
///
/// Safe from any thread.
package final class ChangeRecord: Sendable {
  /// What a change is made for.
  package enum Purpose: Sendable {
    case change, undo, redo
  }

  /// Writes bytes to the disk, replacing earlier ones, and notes whether undo works without them;
  /// blocks.
  package typealias Keep = @Sendable (_ bytes: [UInt8], _ isSpare: Bool) throws -> Void

  package let purpose: Purpose
  /// The maximum number of bytes that are kept of one change.
  package let limit: Int
  /// What was recorded when the change was made; nil where that was nothing, or is gone.
  package let recorded: [UInt8]?
  /// Whether all entries of the change are undone or redone, and not only some.
  package let isWhole: Bool
  /// How many entries the change has, where only the first of them is named; nil where all are.
  package let count: Int?
  private let keep: Keep
  private let writing = Locked(false)

  /// Creates the record of a change.
  ///
  /// - Parameters:
  ///   - purpose: What it is made for.
  ///   - recorded: What was recorded when it was made.
  ///   - isWhole: Whether all of it is undone or redone.
  ///   - count: How many entries it has, where only the first is named.
  ///   - limit: The maximum number of bytes that are kept.
  ///   - keep: Writes bytes to the disk.
  package init(
    _ purpose: Purpose = .change, recorded: [UInt8]? = nil, isWhole: Bool = true, count: Int? = nil,
    limit: Int, keep: @escaping Keep
  ) {
    self.purpose = purpose
    self.recorded = recorded
    self.isWhole = isWhole
    self.count = count
    self.limit = limit
    self.keep = keep
  }

  /// Whether the store reported that it begins to write.
  package var isWriting: Bool { writing.withLock { $0 } }

  /// Reports that the store is changed from here on, or may be.
  package func reportWriting() {
    writing.withLock { $0 = true }
  }

  /// Records bytes on the disk, to be called before the store makes its change permanent: a process that
  /// is killed afterwards has recorded them.
  ///
  /// - Parameters:
  ///   - bytes: What is recorded.
  ///   - isSpare: Whether undo works without it, so that a full journal drops it before any step.
  /// - Throws: ``StoreError`` where they cannot be kept.
  package func record(_ bytes: [UInt8], isSpare: Bool = false) throws {
    try keep(bytes, isSpare)
  }
}
