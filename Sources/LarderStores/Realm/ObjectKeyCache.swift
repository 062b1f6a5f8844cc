import Harmony
import LarderModel

/// A cache of the object keys of recently listed entries, to find an object without searching.
///
/// The cache has two generations, and discards the older one as a whole. Its object keys are only
/// hints: the primary key of the object may have changed since.
final class ObjectKeyCache: Sendable {
  private struct State {
    var young: [EntryKey: Int64] = [:]
    var old: [EntryKey: Int64] = [:]
  }

  private static let capacity = 8_192

  private let state = Locked(State())

  subscript(key: EntryKey) -> Int64? {
    state.withLock { $0.young[key] ?? $0.old[key] }
  }

  func note(_ key: EntryKey, _ objectKey: Int64) {
    state.withLock { state in
      if state.young.count >= Self.capacity {
        state.old = state.young
        state.young = [:]
      }
      state.young[key] = objectKey
    }
  }
}
