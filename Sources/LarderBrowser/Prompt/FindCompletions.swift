import LarderModel
import Harmony

extension EffectSlot {
  static let offers = EffectSlot("offers")
}

/// Finds the completions of a typed line, which are empty if the store cannot provide them.
package struct FindCompletions: BrowserEffect {
  package let query: CompletionQuery
  package let ticket: Ticket?
  package var slot: EffectSlot? { .offers }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await offers(runner))
  }

  private func offers(_ runner: EffectRunner) async -> Completions {
    switch query {
    case .keys(let reference, let prefix):
      // Some stores scan all keys for those with a prefix.
      let page = EntryPageQuery(
        prefix: prefix, limit: CompletionQuery.limit, scan: Scan(budget: .milliseconds(100)))
      let entries = try? await runner.opened(reference).store.source.getAll(page).getCancelling()
      return .keys((entries ?? []).map(\.key))
    case .steps(let reference, let isRedo):
      return .steps(await runner.steps(of: reference, isRedo: isRedo))
    case .paths(let text): return .paths(await runner.environment.paths(text))
    }
  }

  package func receive(_ offers: Completions, in state: inout BrowserState) -> Effects {
    state.offered(offers)
  }
}

/// A prompt with completions that must be requested.
protocol CompletingPrompt: PromptPurpose {
  /// Submits the typed text, after requests for completions were canceled.
  func take(_ text: String, in state: inout BrowserState) -> Effects
}

extension CompletingPrompt {
  package func suggestions(for line: PromptModel) -> [Suggestion] {
    line.offers(beginningWith: line.buffer.text)
  }

  package func typed(in state: inout BrowserState) -> Effects { state.requestCompletions() }

  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)] + take(line.buffer.text, in: &state)
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    [Cancel(.offers)]
  }
}
