package import LarderModel
package import LarderOperations

/// What a store answered.
package typealias Answer<Value> = Result<Value, StoreError>

/// What became of an operation on many entries.
package typealias OperationAnswer<Value> = Result<Value, OperationFailure>

/// A question of the state, and whether the state still waits for the answer.
package struct Ticket: Sendable {
  /// The number of the question, which no other has.
  package let token: Int
  /// Where the state keeps the token while it waits.
  let place: @Sendable (BrowserState) -> Int?

  package init(_ token: Int, _ place: @escaping @Sendable (BrowserState) -> Int?) {
    self.token = token
    self.place = place
  }

  func isAwaited(by state: BrowserState) -> Bool { place(state) == token }
}

/// A reply of an effect, on its way to the state.
package struct EffectReply: Sendable {
  /// The effect.
  package let effect: any BrowserEffect
  /// What it replied.
  package let content: any Sendable
  private let apply: @Sendable (inout BrowserState) -> Effects

  package init<Effect: BrowserEffect>(_ content: Effect.Reply, to effect: Effect) {
    self.effect = effect
    self.content = content
    apply = { effect.receive(content, in: &$0) }
  }

  /// Takes the reply into a state, unless nobody waits for it there any more: the list, the value or
  /// the line that asked has been left, or has asked something else since.
  func apply(to state: inout BrowserState) -> Effects {
    // A write may have changed any row.
    if let store = effect.writtenStore, state.keys?.store.reference == store {
      state.keys?.forgetRows()
    }
    guard effect.ticket?.isAwaited(by: state) != false else { return [] }
    return apply(&state)
  }
}

/// Takes what an effect replies, in order.
package struct Replies<Effect: BrowserEffect>: Sendable {
  let effect: Effect
  /// Takes actions of any kind.
  let send: EffectRunner.Send

  /// Replies.
  func callAsFunction(_ content: Effect.Reply) async {
    await send(.reply(EffectReply(content, to: effect)))
  }
}
