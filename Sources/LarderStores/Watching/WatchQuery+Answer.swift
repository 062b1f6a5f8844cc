import Harmony
import LarderCore

extension WatchQuery {
  /// What is kept of a watch of places.
  private final class State: Sendable {
    let places: PlaceWatch
    private let progress = Locked((count: 0, version: String?.none))

    init(_ places: [WatchedPlace]) {
      self.places = PlaceWatch(places)
    }

    /// Takes note of a version; says whether it may be another one than before.
    func isNew(_ version: String?) -> Bool {
      progress.withLock { progress in
        defer { progress.version = version }
        return version == nil || version != progress.version
      }
    }

    /// Counts one answer.
    func answer() -> Entry {
      WatchQuery.answer(
        progress.withLock { progress in
          progress.count += 1
          return progress.count
        })
    }
  }

  /// The answer of a source whose entries are in some places.
  ///
  /// - Parameters:
  ///   - places: What is watched; looked at when the watch begins.
  ///   - version: A text that is the same as before where nothing has changed although the places
  ///     have, nil where nobody knows; asked before the first answer and after each notice.
  /// - Returns: The answer, once there is one.
  func answer(
    when places: [WatchedPlace],
    version: @escaping @Sendable () async -> String? = { nil }
  ) -> Future<Entry> {
    let watch = watch
    return Future {
      let (state, isFirst) = watch.state { State(places) }
      if isFirst {
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
}
