import Harmony

/// A thread-safe collector of warnings about the changes that a store made.
///
/// Warnings are sentences without a final full stop. They are stored until they are taken, or
/// delivered immediately if there is a listener.
public final class WarningCollector: Sendable {
  private struct State {
    var sentences: [String] = []
    var told: (@Sendable (String) -> Void)?
  }

  /// The maximum number of warnings that are stored.
  private static let limit = 100

  private let state = Locked(State())

  /// Creates an empty collector.
  public init() {}

  /// Adds a warning.
  public func add(_ sentence: String) {
    let told = state.withLock { state in
      if state.told == nil, state.sentences.count < Self.limit { state.sentences.append(sentence) }
      return state.told
    }
    told?(sentence)
  }

  /// Returns the warnings since the previous call, in order.
  public func take() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  /// Delivers all further warnings to a closure, which is called on the thread that reports them.
  public func listen(_ told: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.told = told }
  }
}
