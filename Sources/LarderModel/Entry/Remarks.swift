import Harmony

/// What a store has to say of the changes it made, beside that they are made.
///
/// Sentences without a final full stop, from any thread. They are kept until somebody takes them,
/// or told at once to whoever listens.
public final class Remarks: Sendable {
  private struct State {
    var sentences: [String] = []
    var told: (@Sendable (String) -> Void)?
  }

  /// The most sentences that are kept where nobody takes them.
  private static let limit = 100

  private let state = Locked(State())

  /// Creates an empty list.
  public init() {}

  /// Adds a sentence.
  public func add(_ sentence: String) {
    let told = state.withLock { state in
      if state.told == nil, state.sentences.count < Self.limit { state.sentences.append(sentence) }
      return state.told
    }
    told?(sentence)
  }

  /// The sentences since the last time, in order.
  public func take() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  /// Tells every further sentence as it comes, where the store works.
  public func listen(_ told: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.told = told }
  }
}
