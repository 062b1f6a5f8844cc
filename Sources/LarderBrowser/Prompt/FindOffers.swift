import LarderModel
import Harmony

extension EffectSlot {
  static let offers = EffectSlot("offers")
}

/// Finds what a line that is typed may go on with; nothing where the store cannot say.
package struct FindOffers: BrowserEffect {
  package let query: OfferQuery
  package let ticket: Ticket?
  package var slot: EffectSlot? { .offers }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await offers(runner))
  }

  private func offers(_ runner: EffectRunner) async -> Offers {
    switch query {
    case .keys(let reference, let prefix):
      // Some stores look at all keys for those that begin with a text.
      let page = EntryPageQuery(
        prefix: prefix, limit: OfferQuery.limit, scan: Scan(budget: .milliseconds(100)))
      let entries = try? await runner.opened(reference).store.source.getAll(page).getCancelling()
      return .keys((entries ?? []).map(\.key))
    case .steps(let reference, let isRedo):
      return .steps(await runner.steps(of: reference, isRedo: isRedo))
    case .paths(let text): return .paths(await runner.environment.paths(text))
    }
  }

  package func receive(_ offers: Offers, in state: inout BrowserState) -> Effects {
    state.offered(offers)
  }
}
