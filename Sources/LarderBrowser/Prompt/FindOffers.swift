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

/// A prompt whose line is completed with what has to be found first.
protocol OfferingPrompt: PromptPurpose {
  /// Takes what was typed, when nothing more is to be found for it.
  func take(_ text: String, in state: inout BrowserState) -> Effects
}

extension OfferingPrompt {
  package func suggestions(for line: PromptModel) -> [Suggestion] {
    line.offers(beginningWith: line.buffer.text)
  }

  package func typed(in state: inout BrowserState) -> Effects { state.askForOffers() }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)] + take(line.buffer.text, in: &state)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)]
  }
}
