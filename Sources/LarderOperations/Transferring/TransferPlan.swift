package import LarderModel

extension Transfer {
  /// The changes to be written.
  package struct Plan: Sendable {
    /// The entries in the source store.
    var originals: [Entry] = []
    /// The entries as the target store is to hold them.
    var copies: [Entry] = []
    var changes: [EntryChange] = []
    /// The inverse changes, in the same order.
    var reversed: [EntryChange] = []
    var left = TransferReport()
    /// The entries with a part that cannot be read, which the copies lack.
    var losses = NameList()
    /// The keys of entries without a value.
    package var omitted: [EntryKey] = []

    /// The number of selected entries.
    package var count: Int { originals.count }
    /// The number of entries to write, without those that the target store already holds.
    package var changeCount: Int { changes.count }
  }

  /// The result of a transfer.
  package struct Outcome: Sendable, Equatable {
    /// The number of entries that were copied.
    package var copied = 0
    /// The number of entries that already existed with the same value.
    package var same = 0
    /// The number of moved entries that were deleted from the source store.
    package var deleted = 0
    /// Whether a move was stopped before all entries were deleted from the source store.
    package var isStopped = false
    /// The data that the target store cannot represent.
    package var left = TransferReport()
    /// The entries with a part that could not be read, which the copies lack.
    package var losses = NameList()
    /// The reason why expiries could not be set.
    package var expiryProblem: StoreError?
    /// The keys of entries to which a cache assigned a different expiry.
    package var otherExpiries: [EntryKey] = []
    /// The number of the change in the target's journal; nil if none was recorded.
    package var change: Int64?
    /// The copies as they are stored.
    package var stored: [Entry] = []
  }
}
