package import Foundation
package import LarderModel
import Harmony

/// Deletes entries, each only if it is unchanged since it was read.
package struct Deletion: Sendable {
  private let store: Store
  /// The maximum number of attempts to delete expired entries that other programs keep changing.
  private static let attempts = 8

  /// Creates a deletion of entries in a store.
  package init(in store: Store) {
    self.store = store
  }

  /// Deletes entries, in one change if all of them were read.
  ///
  /// An entry that was not read has no fingerprint to compare and cannot be restored. If the store
  /// has a journal, nothing is deleted; otherwise such entries are deleted one by one after the
  /// others, without being compared: in a ``ChangesQuery``, a change without a fingerprint expects
  /// that there is no entry.
  ///
  /// - Parameters:
  ///   - entries: The entries as they were read.
  ///   - scan: The scan that reports progress and can stop the deletion.
  ///   - deleted: Called with the entries that were deleted, even if a failure follows.
  /// - Throws: ``OperationFailure`` with the number of entries that were deleted.
  package func run(
    _ entries: [Entry], _ scan: Scan, deleted: ([Entry]) -> Void
  ) async throws {
    let known = entries.filter { $0.fingerprint != nil }
    let unread = entries.filter { $0.fingerprint == nil }
    if let first = unread.first, store.capabilities.contains(.undo) {
      throw Self.failure(StoreError.cannotRestore(first), after: 0)
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

  /// Commits several deletions as one change.
  ///
  /// - Throws: ``OperationFailure`` with the number of entries that were deleted.
  package func run(_ deletions: [EntryChange], _ scan: Scan) async throws {
    guard !deletions.isEmpty else { return }
    do {
      try scan.reportRead(0)
      _ = try await store.source.putAll([], in: ChangesQuery(deletions, scan: scan)).get()
    } catch {
      throw Self.failure(error, after: store.changesLeft(by: scan))
    }
  }

  /// Deletes, in one change, those entries that are still expired.
  ///
  /// The store refuses the change if any of them was written in the meantime, so it is repeated
  /// with those that are still expired.
  ///
  /// - Parameters:
  ///   - entries: Entries that had expired when they were read; those with fingerprints are deleted
  ///     without being read again, if they are unchanged.
  ///   - timeToLive: The TTL of entries without an expiry; nil for none.
  ///   - now: The clock.
  ///   - scan: The scan that reports progress and can stop the deletion.
  ///   - deleted: Called with the entries that were deleted, even if a failure follows.
  /// - Returns: The number of entries that were deleted.
  /// - Throws: ``OperationFailure`` with the number of entries that were deleted.
  package func run(
    expired entries: [Entry], timeToLive: Duration? = nil, at now: () -> Date, _ scan: Scan,
    deleted: ([Entry]) -> Void = { _ in }
  ) async throws -> Int {
    var count = 0
    var isRead = entries.allSatisfy { $0.fingerprint != nil }
    for attempt in 1...Self.attempts {
      // What an earlier attempt deleted is counted already.
      scan.reportRollback()
      do {
        let (expired, unreadable) =
          isRead ? (entries, nil) : try await stillExpired(entries, timeToLive, at: now, scan)
        isRead = false
        try await run(expired, scan) {
          count += $0.count
          deleted($0)
        }
        if let unreadable { throw OperationFailure(unreadable, outcome: Self.nothing) }
        break
      } catch {
        let reason = (error as? OperationFailure)?.reason ?? StoreError(error)
        guard case .conflict = reason, attempt < Self.attempts else {
          throw Self.failure(reason, after: count)
        }
      }
    }
    return count
  }

  /// Returns the entries that still exist and are expired, without values, and the first read
  /// error.
  private func stillExpired(
    _ entries: [Entry], _ timeToLive: Duration?, at now: () -> Date, _ scan: Scan
  ) async throws -> (expired: [Entry], unreadable: (any Error)?) {
    var expired: [Entry] = []
    var unreadable: (any Error)?
    for (index, entry) in entries.enumerated() {
      try scan.reportRead(index)
      do {
        guard let found = try await store.source.entry(entry.key) else { continue }
        var current = found.timed(timeToLive)
        guard let expires = current.expires, expires <= now() else { continue }
        // An entry whose backing store has changed since it was cached is not expired.
        let base = try await store.base(found.key, shown: found)
        guard base?.fingerprint == found.fingerprint else { continue }
        current.value = nil
        expired.append(current)
      } catch {
        unreadable = unreadable ?? error
      }
    }
    return (expired, unreadable)
  }

  /// Deletes all entries whose keys have a prefix, in one change.
  ///
  /// - Parameters:
  ///   - prefix: The prefix.
  ///   - count: The number of entries, for stores that do not report how many they deleted.
  ///   - scan: The scan that reports progress and can stop the deletion.
  /// - Returns: The number of entries that were deleted.
  /// - Throws: ``OperationFailure`` with the number of entries that were deleted.
  package func run(prefix: String, of count: Int, _ scan: Scan) async throws -> Int {
    do {
      try scan.reportRead(0)
      try await store.source.delete(PrefixQuery(prefix, scan: scan)).get()
      return scan.isReported ? scan.examined : count
    } catch {
      throw Self.failure(error, after: store.changesLeft(by: scan))
    }
  }

  /// Returns the failure of a deletion that had already deleted some entries.
  package static func failure(_ error: any Error, after count: Int) -> OperationFailure {
    guard count > 0 else { return OperationFailure(error, outcome: nothing) }
    let outcome = OperationFailure.outcome(count, "deleted")
    return switch StoreError(error) {
    case .cancelled: OperationFailure(error, outcome: outcome)
    case .notDurable: OperationFailure(error, outcome: Messages.inAll(outcome))
    default: OperationFailure(error, outcome: Messages.before(outcome))
    }
  }
}
