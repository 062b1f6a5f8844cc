import Harmony
import LarderModel

/// The object keys of entries that were listed lately, so that one of them is found at once.
///
/// Of two generations the older is forgotten as a whole. A place is only where to look first: the
/// object there may be another one by now.
final class KeyPlaces: Sendable {
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
