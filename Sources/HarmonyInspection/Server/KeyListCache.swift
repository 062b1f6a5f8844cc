import Dispatch
import Harmony

/// A cache of sorted keys for clients that list all keys page by page.
///
/// A page that does not follow a previous one is selected from the current keys. When the next page
/// is requested, all keys are sorted and the result is reused for further pages. It expires after a
/// time proportional to the time that sorting took, so that sorting uses at most a hundredth of the
/// time; changes become visible then. Keys that have not changed need not be sorted again.
final class KeyListCache: Sendable {
  /// The last key of a page and its direction.
  private struct End: Equatable {
    var key: [UInt8]
    var isDescending: Bool
  }

  /// A sorted snapshot of all keys.
  private struct Snapshot {
    var keys: [String]
    /// The digest of the keys; nil if the source does not provide one.
    var digest: KeyDigest?
    /// The time of the snapshot and its TTL, in nanoseconds.
    var time: UInt64
    var life: UInt64
  }

  private struct State {
    /// The ends of recent pages, newest last: several clients may page through the keys at the same
    /// time.
    var ends: [End] = []
    var snapshot: Snapshot?
    /// The number of the last use.
    var use = 0
  }

  /// The minimum TTL of a snapshot, in nanoseconds.
  private static let minimumLife: UInt64 = 2_000_000_000
  /// The ratio of the TTL to the time that sorting took.
  private static let share: UInt64 = 100
  /// The time after the last use at which a snapshot is released, in seconds.
  private static let patience = 5.0
  /// The maximum number of page ends to remember.
  private static let memory = 8

  private let state = Locked(State())
  private let now: @Sendable () -> UInt64

  init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
    self.now = now
  }

  /// Returns the selected keys.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - digest: Returns a digest of the current keys, without sorting them.
  ///   - list: Returns the selected keys of the current ones.
  /// - Returns: The keys. Those of a page that follows another may be a few seconds old; all others
  ///   are current.
  func keys(
    _ selection: KeySelection, digest: () -> KeyDigest?, of list: (KeySelection) -> [String]
  ) -> [String] {
    guard let limit = selection.limit else {
      return known(isNext: false, digest: digest).map { selection.keys(of: $0.keys) }
        ?? list(selection)
    }
    let start = selection.after.map {
      End(key: Array($0.utf8), isDescending: selection.isDescending)
    }
    let isNext = state.withLock { state in start.map(state.ends.contains) ?? false }
    var snapshot = known(isNext: isNext, digest: digest)
    if snapshot == nil, isNext { snapshot = look(digest, list) }
    let page = snapshot.map { selection.keys(of: $0.keys) } ?? list(selection)
    let end = page.last.map { End(key: Array($0.utf8), isDescending: selection.isDescending) }
    keep(snapshot, start, page.count < limit ? nil : end)
    return page
  }

  /// Returns the number of selected keys, if it is known without visiting each of them.
  func count(_ selection: KeySelection, digest: () -> KeyDigest?) -> Int? {
    known(isNext: false, digest: digest).map { selection.count(of: $0.keys) }
  }

  /// Releases the snapshot after a client has changed something, so that the change is visible.
  func forget() {
    state.withLock { $0.snapshot = nil }
  }

  /// Returns the snapshot if it is fresh or the keys have not changed.
  private func known(isNext: Bool, digest: () -> KeyDigest?) -> Snapshot? {
    guard var snapshot = state.withLock({ $0.snapshot }) else { return nil }
    let now = now()
    if isNext, now < snapshot.time &+ snapshot.life { return snapshot }
    guard let old = snapshot.digest, let new = digest(), new == old else { return nil }
    snapshot.time = now
    return snapshot
  }

  /// Sorts all keys.
  private func look(
    _ digest: () -> KeyDigest?, _ list: (KeySelection) -> [String]
  ) -> Snapshot {
    let start = now()
    // Read before the keys, so that concurrent changes result in a different digest.
    let digest = digest()
    let keys = list(KeySelection())
    let end = now()
    return Snapshot(
      keys: keys, digest: digest, time: end, life: max(Self.minimumLife, (end - start) * Self.share)
    )
  }

  /// Stores the end of a page, and the snapshot if there is one.
  private func keep(_ snapshot: Snapshot?, _ start: End?, _ end: End?) {
    let number = state.withLock { state -> Int? in
      if snapshot != nil { state.ends.removeAll { $0 == start } }
      if let end { state.ends.append(end) }
      if state.ends.count > Self.memory { state.ends.removeFirst() }
      guard let snapshot else { return nil }
      state.snapshot = snapshot
      state.use += 1
      return state.use
    }
    guard let number else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) {
      [weak self] in
      self?.forget(unlessUsedSince: number)
    }
  }

  /// Releases the snapshot, unless it was used since.
  private func forget(unlessUsedSince number: Int) {
    state.withLock { state in
      guard state.use == number else { return }
      state.ends = []
      state.snapshot = nil
    }
  }
}
