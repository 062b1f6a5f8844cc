import Harmony
import LarderModel

/// A change feed that reports when files or folders may have changed.
final class FileChangeFeed: ChangeFeed {
  private struct State {
    var places: FileWatcher?
    var version: String?
    /// Whether a change is still to be reported: the first call always reports one, and a canceled
    /// call leaves its notification to the next.
    var isOwed = true
  }

  private let paths: @Sendable () -> [WatchedPath]
  private let usesNotices: Bool
  private let version: @Sendable () async -> String?
  private let state = Locked(State())

  /// Creates a feed for some places.
  ///
  /// - Parameters:
  ///   - paths: The places to watch; evaluated when the watch starts.
  ///   - usesNotices: Whether to use the kernel's notifications. If not, changes are polled once a
  ///     second.
  ///   - version: A closure that returns a string which changes with the contents, or nil if that
  ///     is unknown; called at the start and after each notification. A change to the files that
  ///     leaves the version unchanged is not reported.
  init(
    _ paths: @escaping @autoclosure @Sendable () -> [WatchedPath], usesNotices: Bool = true,
    version: @escaping @Sendable () async -> String? = { nil }
  ) {
    self.paths = paths
    self.usesNotices = usesNotices
    self.version = version
  }

  var limitation: String? {
    // Without a request for notifications, their absence is not a limitation.
    usesNotices ? state.withLock { $0.places?.limitation } : nil
  }

  func next() async throws {
    let places = state.withLock { state in
      if let places = state.places { return places }
      let places = FileWatcher(paths(), usesNotices: usesNotices)
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

  /// Stores a version, and returns whether it may differ from the previous one.
  @discardableResult
  private func note(_ version: String?) -> Bool {
    state.withLock { state in
      defer { state.version = version }
      return version == nil || version != state.version
    }
  }
}
