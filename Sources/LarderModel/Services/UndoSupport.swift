package import Foundation
package import Harmony

/// The undo support of a kind of store.
///
/// The journal records each entry of a change before and after it. The store itself records side
/// effects, such as rows changed by triggers or the bytes of a file, in a private format. All
/// members have defaults for stores without side effects.
package protocol UndoSupport: Sendable {
  /// Whether the store supports ``RecordedChangeQuery``.
  var recordsChanges: Bool { get }

  /// Whether the store's records describe all entries of a change, and it supports
  /// ``RecordedDeletionQuery``; the journal itself then records only the first entry.
  var recordsEntries: Bool { get }

  /// Returns the entries that a recorded change affected.
  ///
  /// - Parameter record: The store's record.
  /// - Returns: The entries before and after the change, as far as the record describes them;
  ///   computed columns may be missing from their values.
  /// - Throws: ``StoreError`` if the record no longer matches the store.
  func entries(of record: [UInt8]) async throws -> [RecordedEntry]

  /// Whether a recorded change took effect before its process was killed.
  ///
  /// - Parameter record: The store's record.
  /// - Returns: nil if that cannot be determined because the entries have changed since.
  /// - Throws: ``StoreError`` if the store cannot be read.
  func isMade(_ record: [UInt8]) async throws -> Bool?

  /// Whether the store calls ``ChangeRecord/reportWriting()`` before it starts to write, so that an
  /// earlier error means that nothing was changed.
  var reportsWriting: Bool { get }

  /// Whether changes are lost when this process ends, so that no other process can undo them.
  var isOfOneProcess: Bool { get }

  /// Returns a value as the store would return it after writing it with a storage form.
  func asKept(_ value: StoredValue, form: String?) -> StoredValue

  /// Whether the store's records restore entries exactly, also those with an ``Entry/loss``.
  var restoresExactly: Bool { get }

  /// Returns the known expiries of the entries that a change left, or that its undo left.
  ///
  /// - Parameters:
  ///   - record: The store's record of the change.
  ///   - isUndone: Whether the change was undone.
  /// - Returns: The expiries; nil if the store does not delete expired entries.
  func expiries(in record: [UInt8]?, isUndone: Bool) -> [EntryKey: Date]?

  /// Whether an error of a write means that the store was not reached.
  func isUnreached(_ error: any Error) -> Bool

  /// Removes the new name of an entry that has two names after an interrupted rename.
  ///
  /// - Parameters:
  ///   - newKey: The name to remove.
  ///   - key: The name to retain.
  ///   - fingerprint: The fingerprint of the entry under both names.
  ///   - source: The store's source.
  /// - Throws: ``StoreError`` if the name cannot be removed or belongs to another entry by now.
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

  package func asKept(_ value: StoredValue, form: String?) -> StoredValue { value }

  package var restoresExactly: Bool { false }

  package func expiries(in record: [UInt8]?, isUndone: Bool) -> [EntryKey: Date]? { nil }

  /// Returns the query that makes, undoes or redoes a change if all entries match its expectations,
  /// which is answered by `putAll` with the entries that were written.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - record: The store's record of the change, to be read or written.
  /// - Returns: The query.
  package func query(for change: StoreChange, _ record: ChangeRecord) -> any Query {
    recordsChanges ? RecordedChangeQuery(change, record) : change.query
  }

  package func isUnreached(_ error: any Error) -> Bool { false }

  package func removeSecondName(
    _ newKey: EntryKey, of key: EntryKey, holding fingerprint: Fingerprint,
    in source: AnyDataSource<Entry>
  ) async throws {}
}

/// Changes or renames that are made together.
package enum StoreChange: Sendable {
  case changes(ChangesQuery)
  case renames(RenamesQuery)

  /// The query that makes the change in any store.
  package var query: any Query {
    switch self {
    case .changes(let query): query
    case .renames(let query): query
    }
  }

  /// The scan that receives progress.
  package var scan: Scan? {
    switch self {
    case .changes(let query): query.scan
    case .renames(let query): query.scan
    }
  }

  /// The keys that do not exist after the change.
  package var leftKeys: [EntryKey] {
    switch self {
    case .changes(let query): query.changes.filter { $0.value == nil }.map(\.key)
    case .renames(let query): query.renames.map(\.entryKey)
    }
  }

  /// The keys that exist after the change.
  package var writtenKeys: [EntryKey] {
    switch self {
    case .changes(let query): query.changes.filter { $0.value != nil }.map(\.key)
    case .renames(let query): query.renames.map(\.newKey)
    }
  }
}

/// A change with its record, for stores that record their side effects.
///
/// It is answered by `putAll`, like ``ChangesQuery`` and ``RenamesQuery``.
package struct RecordedChangeQuery: Query {
  package let change: StoreChange
  package let record: ChangeRecord

  package init(_ change: StoreChange, _ record: ChangeRecord) {
    self.change = change
    self.record = record
  }
}

/// An unconditional deletion of all entries whose keys have a prefix, which records them.
///
/// It is answered by `delete` in stores with ``UndoSupport/recordsEntries``.
package struct RecordedDeletionQuery: Query {
  package let query: PrefixQuery
  package let record: ChangeRecord

  package init(_ query: PrefixQuery, _ record: ChangeRecord) {
    self.query = query
    self.record = record
  }
}

/// An entry of a recorded change.
package struct RecordedEntry: Sendable, Hashable {
  package let key: EntryKey
  /// The value before the change; nil if there was none.
  package let before: StoredValue?
  /// The value after the change; nil if there is none.
  package let after: StoredValue?

  package init(_ key: EntryKey, before: StoredValue?, after: StoredValue?) {
    self.key = key
    self.before = before
    self.after = after
  }
}

/// A store's record of a change's side effects, which it reads when the change is undone or redone.
///
/// It is safe to use from any thread.
package final class ChangeRecord: Sendable {
  /// The purpose of a change.
  package enum Purpose: Sendable {
    case change, undo, redo
  }

  /// Writes bytes to disk, replacing earlier ones, with the written entries if they are known, and
  /// notes whether undo works without the bytes.
  ///
  /// The call blocks.
  package typealias Keep =
    @Sendable (_ bytes: [UInt8], _ written: [Entry], _ isSpare: Bool) throws -> Void

  package let purpose: Purpose
  /// The maximum number of bytes that are stored for one change.
  package let limit: Int
  /// The bytes recorded when the change was made; nil if there were none or they were dropped.
  package let recorded: [UInt8]?
  /// Whether all entries of the change are undone or redone, rather than only some.
  package let isWhole: Bool
  private let keep: Keep
  private let writing = Locked(false)

  /// Creates the record of a change.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the change.
  ///   - recorded: The bytes recorded when it was made.
  ///   - isWhole: Whether all of it is undone or redone.
  ///   - limit: The maximum number of bytes to store.
  ///   - keep: Writes bytes to disk.
  package init(
    _ purpose: Purpose = .change, recorded: [UInt8]? = nil, isWhole: Bool = true,
    limit: Int, keep: @escaping Keep
  ) {
    self.purpose = purpose
    self.recorded = recorded
    self.isWhole = isWhole
    self.limit = limit
    self.keep = keep
  }

  /// Whether the store has reported that it is about to write.
  package var isWriting: Bool { writing.withLock { $0 } }

  /// Reports that the store may be modified from now on.
  package func reportWriting() {
    writing.withLock { $0 = true }
  }

  /// Records bytes on disk before the store commits its change, so that they survive if the process
  /// is killed afterwards.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to record.
  ///   - written: The entries as the store returns them after the change, if it records entries.
  ///   - isSpare: Whether undo works without them, so that a full journal drops them before any
  ///     change.
  /// - Throws: ``StoreError`` if they cannot be stored.
  package func record(
    _ bytes: [UInt8], written: [Entry] = [], isSpare: Bool = false
  ) throws {
    try keep(bytes, written, isSpare)
  }
}
