import Harmony
import LarderModel

/// Tells when what is in some places may have changed.
final class PlaceFeed: ChangeFeed {
  private struct State {
    var places: PlaceWatch?
    var version: String?
    /// Whether a change is still to be told: the first call always has something to tell, and one that
    /// was cancelled leaves its notice to the next.
    var isOwed = true
  }

  private let paths: @Sendable () -> [WatchedPlace]
  private let usesNotices: Bool
  private let version: @Sendable () async -> String?
  private let state = Locked(State())

  /// Prepares to watch some places.
  ///
  /// - Parameters:
  ///   - paths: What is watched; asked when the watch begins.
  ///   - usesNotices: Whether the kernel tells of changes; else they are looked for once a second.
  ///   - version: A text that is the same as before where nothing has changed although the places
  ///     have, nil where nobody knows; asked at first and after each notice.
  init(
    _ paths: @escaping @autoclosure @Sendable () -> [WatchedPlace], usesNotices: Bool = true,
    version: @escaping @Sendable () async -> String? = { nil }
  ) {
    self.paths = paths
    self.usesNotices = usesNotices
    self.version = version
  }

  var limitation: String? {
    // Where no notices are asked for, their lack is no limitation.
    usesNotices ? state.withLock { $0.places?.limitation } : nil
  }

  func next() async throws {
    let places = state.withLock { state in
      if let places = state.places { return places }
      let places = PlaceWatch(paths(), usesNotices: usesNotices)
      state.places = places
      return places
    }
    let isOwed = state.withLock { state in
      defer { state.isOwed = true }
      return state.isOwed
    }
    if isOwed {
      note(await version())
    } else {
      repeat {
        try Task.checkCancellation()
        try await places.next().getCancelling()
      } while !note(await version())
    }
    try Task.checkCancellation()
    state.withLock { $0.isOwed = false }
  }

  /// Takes note of a version; says whether it may be another one than before.
  @discardableResult
  private func note(_ version: String?) -> Bool {
    state.withLock { state in
      defer { state.version = version }
      return version == nil || version != state.version
    }
  }
}
