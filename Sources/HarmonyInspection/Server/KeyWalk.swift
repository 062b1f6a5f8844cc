import Dispatch
import Harmony

/// Lists keys page after page for somebody who goes through all of them, at the cost of one look.
///
/// A page that does not follow one before is picked out of the keys as they are. Of one that does all
/// keys are put in order, and kept for the pages that follow as long as somebody goes on. Whoever goes
/// through them sees what comes or goes meanwhile once the keys have had their time, which is longer
/// where it takes long to put them in order: no more than a hundredth of the time goes into that. Keys
/// that are still the same need not be put in order again.
final class KeyWalk: Sendable {
  /// Where a page ended, and the way that it went.
  private struct End: Equatable {
    var key: [UInt8]
    var isDescending: Bool
  }

  /// All keys in order, as they were.
  private struct Snapshot {
    var keys: [String]
    /// What tells whether others came or went since; nil where the source does not tell.
    var digest: KeyDigest?
    /// When they were found to be so, and when that expires, in nanoseconds.
    var time: UInt64
    var life: UInt64
  }

  private struct State {
    /// Where the last pages ended, the newest last: between two pages of one who goes through them
    /// somebody else may look, or he at something else.
    var ends: [End] = []
    var snapshot: Snapshot?
    /// The number of the last use.
    var use = 0
  }

  /// How many nanoseconds the keys count at least.
  private static let leastLife: UInt64 = 2_000_000_000
  /// How many times longer they count than it takes to put them in order.
  private static let share: UInt64 = 100
  /// How many seconds the keys are kept after their last use.
  private static let patience = 5.0
  /// How many ends of pages are remembered.
  private static let memory = 8

  private let state = Locked(State())
  private let now: @Sendable () -> UInt64

  init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
    self.now = now
  }

  /// The selected keys.
  ///
  /// - Parameters:
  ///   - selection: Which.
  ///   - digest: Tells whether the keys are those that they were, without putting them in order.
  ///   - list: Picks the selected ones out of the keys as they are now.
  /// - Returns: The keys: of a page that follows another as they were a few seconds ago at most, of
  ///   any other as they are.
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

  /// How many of the selected keys there are, where that can be said without a look at all of them.
  func count(_ selection: KeySelection, digest: () -> KeyDigest?) -> Int? {
    known(isNext: false, digest: digest).map { selection.count(of: $0.keys) }
  }

  /// Lets go of the keys, as somebody who looks has changed them and is to see that.
  func forget() {
    state.withLock { $0.snapshot = nil }
  }

  /// The keys in order, if they count still, or are the same.
  private func known(isNext: Bool, digest: () -> KeyDigest?) -> Snapshot? {
    guard var snapshot = state.withLock({ $0.snapshot }) else { return nil }
    let now = now()
    if isNext, now < snapshot.time &+ snapshot.life { return snapshot }
    guard let old = snapshot.digest, let new = digest(), new == old else { return nil }
    snapshot.time = now
    return snapshot
  }

  /// Puts all keys in order.
  private func look(
    _ digest: () -> KeyDigest?, _ list: (KeySelection) -> [String]
  ) -> Snapshot {
    let start = now()
    // Before the keys: what changes meanwhile makes it another.
    let digest = digest()
    let keys = list(KeySelection())
    let end = now()
    return Snapshot(
      keys: keys, digest: digest, time: end, life: max(Self.leastLife, (end - start) * Self.share))
  }

  /// Remembers where a page ended, and the keys where they were put in order.
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

  /// Lets go of the keys, unless they were needed since.
  private func forget(unlessUsedSince number: Int) {
    state.withLock { state in
      guard state.use == number else { return }
      state.ends = []
      state.snapshot = nil
    }
  }
}
