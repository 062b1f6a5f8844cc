public import Harmony

/// Waits until a store may have changed, by whoever it was.
///
/// Answered by `get`, with an entry whose value counts the answers. The first comes as soon as no
/// change from then on can be missed; each further one once something may have changed since the
/// answer before. While nothing changes the source holds no lock, makes no file and takes no
/// processor time; cancel the future to stop waiting. Sources that learn of no change answer with
/// `QueryNotSupported`, and their stores are without ``StoreCapabilities/changeFeed``.
public struct WatchQuery: Query {
  /// What the source knows from one answer to the next.
  public let watch: Watch

  /// Creates a query that goes on where the watch is.
  public init(_ watch: Watch) {
    self.watch = watch
  }

  /// The entry that an answer is.
  public static func answer(_ count: Int) -> Entry {
    Entry(key: .text("changes"), value: .integer(Int64(count)))
  }
}

/// One person's look at a store while others write to it: what a source keeps between answers.
///
/// Made for one source and asked by one task at a time. What the source holds for it, such as a
/// descriptor of the system, goes with it.
public final class Watch: Sendable {
  private let kept = Locked<(any Sendable)?>(nil)
  private let limits = Locked<String?>(nil)

  /// Why changes may be told late, or looking for them costs something, as a sentence; nil where
  /// the system tells of all of them.
  package var limitation: String? {
    get { limits.withLock { $0 } }
    set { limits.withLock { $0 = newValue } }
  }

  /// Creates a watch that has not begun.
  public init() {}

  /// What the source keeps, made when it is first asked for.
  ///
  /// - Parameter make: Makes it.
  /// - Returns: It, and whether it was made just now.
  package func state<State: Sendable>(_ make: () -> State) -> (state: State, isNew: Bool) {
    kept.withLock { kept in
      if let state = kept as? State { return (state, false) }
      let state = make()
      kept = state
      return (state, true)
    }
  }
}
