import Harmony
import LarderCore

/// Deletes entries that were listed, each only if it is still what was read then.
struct Removal {
  let location: OpenedLocation
  /// What shows how far it is, and hears of Ctrl-C.
  let task: LongTask
  /// Takes what was deleted, also where a failure ends it.
  let report: ([Entry]) -> Void

  /// Deletes all of some entries in one change.
  ///
  /// What cannot be read has nothing to compare, and cannot be brought back: where changes are
  /// recorded nothing is deleted then.
  func remove(_ entries: [Entry]) async throws {
    let others = entries.filter { $0.fingerprint == nil }
    if let other = others.first, location.store.capabilities.contains(.undo) {
      throw StoreError.cannotBringBack(other)
    }
    try await change(entries.filter { $0.fingerprint != nil })
    var count = entries.count - others.count
    for entry in others {
      do {
        try await location.store.source.delete(EntryQuery(entry.key)).getCancelling()
      } catch {
        throw Self.failure(error, after: count)
      }
      report([entry])
      count += 1
    }
  }

  private func change(_ entries: [Entry]) async throws {
    guard !entries.isEmpty else { return }
    let source = location.store.source
    var count = 0
    do {
      let changes = entries.map { EntryChange($0.key, value: nil, expecting: $0.fingerprint) }
      try await task.changing {
        Self.outcome(location.store.changesLeft(by: $0))
      } failed: {
        count = location.store.changesLeft(by: $0)
      } _: { scan in
        _ = try await source.putAll([], in: ChangesQuery(changes, scan: scan)).get()
      }
    } catch {
      report(Array(entries.prefix(count)))
      throw Self.failure(Self.reason(of: error, location), after: count)
    }
    report(entries)
  }

  /// An error, said with the key where it is a conflict with what has changed.
  static func reason(of error: any Error, _ location: OpenedLocation) -> any Error {
    guard case StoreError.conflict(let current) = error else { return error }
    let key = current?.key.notation(location.store.keyStyle) ?? "an entry"
    return Failure(.conflict, "\(location.changed(key, current)); \(nothing)")
  }

  /// The failure that an error is, with how many entries were deleted before it came.
  static func failure(_ error: any Error, after count: Int) -> Failure {
    let failure = Failure(error)
    guard count > 0, !failure.isInterruption else { return failure }
    let deleted = outcome(count)
    let others = deleted + " before it"
    let message = failure.message
    for claim in [nothing, "nothing was written"] where message.contains(claim) {
      return Failure(failure.code, message.replacing(claim, with: others))
    }
    // A folder says itself how far it came.
    if message.contains("deleted before it") { return failure }
    // That one of them may come back is told when all are done.
    let isDoubt = message.contains(" was deleted, but")
    return Failure(failure.code, "\(message); " + (isDoubt ? "in all, \(deleted)" : others))
  }

  /// How many entries were deleted, as a clause.
  static func outcome(_ count: Int) -> String {
    count == 0 ? nothing : "\(count) \(count == 1 ? "entry was" : "entries were") deleted"
  }

  private static let nothing = "nothing was deleted"
}
