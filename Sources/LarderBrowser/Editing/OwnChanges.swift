import LarderModel
import Harmony

/// What the browser itself is changing, so that it is not told as the change of others.
///
/// Noted before a store is touched, as the change may be seen before its reply. Safe from any
/// thread.
final class OwnChanges: Sendable {
  private struct Place: Hashable {
    let store: StoreReference
    let key: EntryKey
  }

  /// A change of entries whose keys are not known here.
  private struct Sweep {
    let number: Int
    let store: StoreReference
    /// What the keys begin with that go, nil where any key may change.
    let prefix: String?
    /// How many looks may still find it, nil while it is under way.
    var looks: Int?
  }

  private struct State {
    /// What is written under keys, by its digest, or nil where the entry goes.
    var values: [Place: Set<Fingerprint?>] = [:]
    var sweeps: [Sweep] = []
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Notes that a value is written under a key, or with nil that the entry goes.
  func note(_ key: EntryKey, _ fingerprint: Fingerprint?, in store: StoreReference) {
    state.withLock { state in
      _ = state.values[Place(store: store, key: key), default: []].insert(fingerprint)
    }
  }

  /// Notes that an entry was written, of which a watch sees the value and not how it is kept.
  func note(_ entry: Entry, in store: StoreReference) {
    guard entry.ownFingerprint != nil, let value = entry.value else { return }
    note(entry.key, Fingerprint(of: value), in: store)
  }

  /// Does something that changes entries whose keys are not known.
  ///
  /// - Parameters:
  ///   - prefix: What the keys begin with that go, nil where any key may change.
  ///   - store: The store.
  ///   - body: What changes them.
  /// - Returns: What the closure returns.
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
        // One look may be under way that has seen a part.
        for place in state.sweeps.indices where state.sweeps[place].number == number {
          state.sweeps[place].looks = 2
        }
      }
    }
    return try await body()
  }

  /// Whether a change is one of the browser's own, which is told once.
  func takes(_ difference: EntryDifference, of store: StoreReference) -> Bool {
    state.withLock { state in
      let place = Place(store: store, key: difference.key)
      let isKnown =
        switch (difference.change, difference.value) {
        case (.expired, _): false
        case (.removed, _): state.values[place]?.contains(nil) == true
        // Too large to be read, and so to be told from another one.
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

  /// Whether a change that cannot be named may be the browser's own.
  func mayHaveMade(aChangeOf store: StoreReference) -> Bool {
    state.withLock { state in
      let mine = state.values.keys.filter { $0.store == store }
      for place in mine { state.values[place] = nil }
      return !mine.isEmpty || state.sweeps.contains { $0.store == store }
    }
  }

  /// Forgets what was changed before a watch of a store began.
  func begin(_ store: StoreReference) {
    state.withLock { state in
      state.values = state.values.filter { $0.key.store != store }
      state.sweeps.removeAll { $0.store == store && $0.looks != nil }
    }
  }

  /// Forgets what the looks so far must have found.
  func endLook(at store: StoreReference) {
    state.withLock { state in
      for place in state.sweeps.indices where state.sweeps[place].store == store {
        state.sweeps[place].looks = state.sweeps[place].looks.map { $0 - 1 }
      }
      state.sweeps.removeAll { $0.looks.map { $0 <= 0 } ?? false }
    }
  }
}
