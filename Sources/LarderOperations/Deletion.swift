package import LarderModel
import Harmony

/// Deletes entries, each only if it is what was read.
package struct Deletion: Sendable {
  /// The outcome of a deletion that changed nothing.
  package static let nothing = "nothing was deleted"

  private let store: Store

  /// Creates the deletion of entries of a store.
  package init(in store: Store) {
    self.store = store
  }

  /// Deletes entries in one change.
  ///
  /// One that cannot be read has nothing to compare, and cannot be restored: where changes are recorded
  /// nothing is deleted then. Elsewhere it is deleted after the others.
  ///
  /// - Parameters:
  ///   - entries: The entries as they were read.
  ///   - scan: Where progress is reported, and where it is stopped.
  ///   - deleted: Called with entries that were deleted, also where a failure follows.
  /// - Throws: ``OperationFailure`` that says how many were deleted.
  package func run(
    _ entries: [Entry], _ scan: Scan, deleted: ([Entry]) -> Void
  ) async throws {
    let known = entries.filter { $0.fingerprint != nil }
    let unread = entries.filter { $0.fingerprint == nil }
    if let first = unread.first, store.capabilities.contains(.undo) {
      throw Self.failure(StoreError.cannotBringBack(first), after: 0)
    }
    do {
      try await run(
        known.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }, scan)
    } catch {
      deleted(Array(known.prefix(store.changesLeft(by: scan))))
      throw error
    }
    deleted(known)
    for (index, entry) in unread.enumerated() {
      do {
        try scan.reportWaiting()
        try await store.source.delete(EntryQuery(entry.key)).getCancelling()
      } catch {
        throw Self.failure(error, after: known.count + index)
      }
      deleted([entry])
    }
  }

  /// Makes several deletions in one change.
  ///
  /// - Throws: ``OperationFailure`` that says how many were deleted.
  package func run(_ deletions: [EntryChange], _ scan: Scan) async throws {
    guard !deletions.isEmpty else { return }
    do {
      try scan.reportRead(0)
      _ = try await store.source.putAll([], in: ChangesQuery(deletions, scan: scan)).get()
    } catch {
      throw Self.failure(error, after: store.changesLeft(by: scan))
    }
  }

  /// Deletes all entries whose keys start with a text, in one change.
  ///
  /// - Parameters:
  ///   - prefix: The text.
  ///   - count: How many there were, for stores that do not count them.
  ///   - scan: Where progress is reported, and where it is stopped.
  /// - Returns: How many were deleted.
  /// - Throws: ``OperationFailure`` that says how many were deleted.
  package func run(prefix: String, of count: Int, _ scan: Scan) async throws -> Int {
    do {
      try scan.reportRead(0)
      try await store.source.delete(PrefixQuery(prefix, scan: scan)).get()
      return scan.isReported ? scan.examined : count
    } catch {
      throw Self.failure(error, after: store.changesLeft(by: scan))
    }
  }

  /// The failure that ends a deletion after some entries were deleted.
  package static func failure(_ error: any Error, after count: Int) -> OperationFailure {
    guard count > 0 else { return OperationFailure(error, outcome: nothing) }
    let outcome = OperationFailure.outcome(count, "deleted")
    return switch StoreError(error) {
    case .cancelled: OperationFailure(error, outcome: outcome)
    case .notDurable: OperationFailure(error, outcome: "in all, \(outcome)")
    default: OperationFailure(error, outcome: outcome + " before it")
    }
  }
}
