package import LarderModel
package import LarderOperations

/// The result of a request to a store.
package typealias Answer<Value> = Result<Value, StoreError>

/// The result of a bulk operation.
package typealias OperationAnswer<Value> = Result<Value, OperationFailure>

/// A request of the state, for checking whether the state still waits for the reply.
package struct Ticket: Sendable {
  /// The unique number of the request.
  package let token: Int
  /// A closure that returns the token that the state currently waits for at this place.
  let place: @Sendable (BrowserState) -> Int?

  package init(_ token: Int, _ place: @escaping @Sendable (BrowserState) -> Int?) {
    self.token = token
    self.place = place
  }

  func isAwaited(by state: BrowserState) -> Bool { place(state) == token }
}

/// A reply of an effect to the state.
package struct EffectReply: Sendable {
  /// The effect.
  package let effect: any BrowserEffect
  /// The content of the reply.
  package let content: any Sendable
  private let apply: @Sendable (inout BrowserState) -> Effects

  package init<Effect: BrowserEffect>(_ content: Effect.Reply, to effect: Effect) {
    self.effect = effect
    self.content = content
    apply = { effect.receive(content, in: &$0) }
  }

  /// Applies the reply to a state, unless it is obsolete.
  ///
  /// A reply is obsolete if the list, value or prompt that requested it is closed or has made
  /// another request.
  func apply(to state: inout BrowserState) -> Effects {
    // A write may have changed any row.
    if let store = effect.writtenStore {
      if state.keys?.store.reference == store { state.keys?.forgetRows() }
      state.stores.recount { $0 == store }
    }
    guard effect.ticket?.isAwaited(by: state) != false else { return [] }
    return apply(&state)
  }
}

/// A function that receives the replies of an effect, in order.
package struct Replies<Effect: BrowserEffect>: Sendable {
  let effect: Effect
  /// The function that receives all actions.
  let send: EffectRunner.Send

  /// Sends a reply.
  func callAsFunction(_ content: Effect.Reply) async {
    await send(.reply(EffectReply(content, to: effect)))
  }
}
