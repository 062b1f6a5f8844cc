import LarderModel
import LarderOperations
import Harmony

/// The changes that the browser itself makes, which a watch must not report as changes by other
/// programs.
///
/// Changes are noted before the store is written, because the watch may see them before the write
/// returns. Safe to use from any thread.
final class OwnChanges: Sendable {
  private struct Place: Hashable {
    let store: StoreReference
    let key: EntryKey
  }

  /// A change of entries with unknown keys.
  private struct Sweep {
    let number: Int
    let store: StoreReference
    /// The prefix of the keys to be deleted, or `nil` if any entry may change.
    let prefix: String?
    /// The number of polls that may still see the change, or `nil` while it is in progress.
    var looks: Int?
  }

  private struct State {
    /// The fingerprints of the values written under each key, with `nil` for a deletion.
    var values: [Place: Set<Fingerprint?>] = [:]
    var sweeps: [Sweep] = []
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Notes that a value is written under a key, or that the entry is deleted if `fingerprint` is
  /// `nil`.
  func note(_ key: EntryKey, _ fingerprint: Fingerprint?, in store: StoreReference) {
    state.withLock { state in
      _ = state.values[Place(store: store, key: key), default: []].insert(fingerprint)
    }
  }

  /// Runs a write whose changes are noted before it begins, and forgets them if the store refuses it.
  ///
  /// - Parameters:
  ///   - changes: The key and the fingerprint of each written value, or `nil` for a deletion.
  ///   - store: The store.
  ///   - body: The write.
  /// - Returns: The result of the write.
  /// - Throws: The error of the write.
  func noting<Value>(
    _ changes: [(key: EntryKey, fingerprint: Fingerprint?)], in store: StoreReference,
    _ body: () async throws -> Value
  ) async throws -> Value {
    let new = state.withLock { state in
      changes.filter {
        state.values[Place(store: store, key: $0.key), default: []].insert($0.fingerprint).inserted
      }
    }
    do {
      return try await body()
    } catch  where Self.isRefusal(error) {
      forget(new, in: store)
      throw error
    }
  }

  /// Forgets changes that were noted and not made.
  func forget(
    _ changes: [(key: EntryKey, fingerprint: Fingerprint?)], in store: StoreReference
  ) {
    state.withLock { state in
      for (key, fingerprint) in changes {
        let place = Place(store: store, key: key)
        state.values[place]?.remove(fingerprint)
        if state.values[place]?.isEmpty == true { state.values[place] = nil }
      }
    }
  }

  /// Returns whether it is certain that a write that failed changed nothing.
  private static func isRefusal(_ error: any Error) -> Bool {
    if let failure = error as? OperationFailure {
      return failure.outcome == Deletion.nothing && isRefusal(failure.reason)
    }
    return switch StoreError(error) {
    case .failed, .notDurable, .unknownOutcome, .cancelled: false
    case .notFound, .notSupported, .readOnly, .busy, .corrupt, .cannotOpen, .passwordRequired,
      .conflict, .changedSince, .journal:
      true
    }
  }

  /// Notes a written entry by its value alone, because a watch does not see how it is stored.
  func note(_ entry: Entry, in store: StoreReference) {
    guard entry.ownFingerprint != nil, let value = entry.value else { return }
    note(entry.key, Fingerprint(of: value), in: store)
  }

  /// Runs an operation that changes entries with unknown keys.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the keys to be deleted, or `nil` if any entry may change.
  ///   - store: The store.
  ///   - body: The operation.
  /// - Returns: The result of the operation.
  func sweeping<Value>(
    _ prefix: String?, in store: StoreReference, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.sweeps.append(Sweep(number: state.lastNumber, store: store, prefix: prefix))
      return state.lastNumber
    }
    defer {
      state.withLock { state in
        // A poll in progress may have seen only part of the changes.
        for place in state.sweeps.indices where state.sweeps[place].number == number {
          state.sweeps[place].looks = 2
        }
      }
    }
    return try await body()
  }

  /// Returns whether a change is the browser's own, matching each noted value only once.
  func takes(_ difference: EntryDifference, of store: StoreReference) -> Bool {
    state.withLock { state in
      let place = Place(store: store, key: difference.key)
      let isKnown =
        switch (difference.change, difference.value) {
        case (.expired, _): false
        case (.removed, _): state.values[place]?.contains(nil) == true
        // The value is too large to be read, so it cannot be compared.
        case (_, nil): state.values[place] != nil
        case (_, let value?): state.values[place]?.contains(Fingerprint(of: value)) == true
        }
      if isKnown {
        state.values[place] = nil
        return true
      }
      return state.sweeps.contains { sweep in
        guard sweep.store == store, difference.change != .expired else { return false }
        guard let prefix = sweep.prefix else { return true }
        return difference.change == .removed && difference.key.hasPrefix(prefix)
      }
    }
  }

  /// Returns whether an unspecified change may be the browser's own, and forgets the values noted
  /// for the store.
  func mayHaveMade(aChangeOf store: StoreReference) -> Bool {
    state.withLock { state in
      let mine = state.values.keys.filter { $0.store == store }
      for place in mine { state.values[place] = nil }
      return !mine.isEmpty || state.sweeps.contains { $0.store == store }
    }
  }

  /// Forgets the changes made before a watch of a store began.
  func begin(_ store: StoreReference) {
    state.withLock { state in
      state.values = state.values.filter { $0.key.store != store }
      state.sweeps.removeAll { $0.store == store && $0.looks != nil }
    }
  }

  /// Forgets the changes that the polls so far must have seen.
  func endLook(at store: StoreReference) {
    state.withLock { state in
      for place in state.sweeps.indices where state.sweeps[place].store == store {
        state.sweeps[place].looks = state.sweeps[place].looks.map { $0 - 1 }
      }
      state.sweeps.removeAll { $0.looks.map { $0 <= 0 } ?? false }
    }
  }
}
