import Harmony
import LarderCore

extension WatchQuery {
  /// What is kept of a watch of places.
  private final class State: Sendable {
    let places: PlaceWatch
    private let progress = Locked((count: 0, version: String?.none, isOwed: false))

    init(_ places: [WatchedPlace], usesNotices: Bool) {
      self.places = PlaceWatch(places, usesNotices: usesNotices)
    }

    /// Takes note of a version; says whether it may be another one than before.
    func isNew(_ version: String?) -> Bool {
      progress.withLock { progress in
        defer { progress.version = version }
        return version == nil || version != progress.version
      }
    }

    /// Takes note that an answer is waited for.
    ///
    /// - Returns: Whether the one before never came: what it was to tell is still to be told.
    func beginWaiting() -> Bool {
      progress.withLock { progress in
        defer { progress.isOwed = true }
        return progress.isOwed
      }
    }

    /// The next answer.
    func answer() -> Entry {
      WatchQuery.answer(progress.withLock { $0.count } + 1)
    }

    /// Takes back what ``endWaiting()`` noted, as nobody took the answer.
    func takeBack() {
      progress.withLock { progress in
        progress.count -= 1
        progress.isOwed = true
      }
    }

    /// Counts the answer that was waited for, which somebody has.
    func endWaiting() {
      progress.withLock { progress in
        progress.count += 1
        progress.isOwed = false
      }
    }
  }

  /// The answer of a source whose entries are in some places.
  ///
  /// - Parameters:
  ///   - places: What is watched; looked at when the watch begins.
  ///   - usesNotices: Whether the kernel tells of changes; else they are looked for once a second.
  ///   - version: A text that is the same as before where nothing has changed although the places
  ///     have, nil where nobody knows; asked before the first answer and after each notice.
  /// - Returns: The answer, once there is one.
  func answer(
    when places: [WatchedPlace], usesNotices: Bool = true,
    version: @escaping @Sendable () async -> String? = { nil }
  ) -> Future<Entry> {
    let watch = watch
    return Future { resolver in
      let task = Task {
        let (state, isFirst) = watch.state { State(places, usesNotices: usesNotices) }
        // Where no notices are asked for, their lack is no limitation.
        watch.limitation = usesNotices ? state.places.limitation : nil
        do {
          let answer = try await Self.answer(state, isFirst, version)
          // Before whoever waits can ask again.
          state.endWaiting()
          // One that was cancelled meanwhile leaves the notice that it took to the next.
          if !resolver.resolve(.value(answer)) { state.takeBack() }
        } catch {
          resolver.set(error)
        }
      }
      resolver.onCancel { task.cancel() }
    }
  }

  private static func answer(
    _ state: State, _ isFirst: Bool, _ version: @escaping @Sendable () async -> String?
  ) async throws -> Entry {
    if state.beginWaiting() || isFirst {
      _ = state.isNew(await version())
      return state.answer()
    }
    while true {
      try await state.places.next().getCancelling()
      if state.isNew(await version()) { return state.answer() }
      try Task.checkCancellation()
    }
  }
}
