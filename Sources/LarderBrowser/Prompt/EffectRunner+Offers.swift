import LarderModel
import Harmony

extension EffectRunner {
  /// Finds what a line that is typed may go on with; nothing where the store cannot say.
  func offers(_ query: OfferQuery) async -> Offers {
    switch query {
    case .keys(let reference, let prefix):
      // Some stores look at all keys for those that begin with a text.
      let page = EntryPageQuery(
        prefix: prefix, limit: OfferQuery.limit, scan: Scan(budget: .milliseconds(100)))
      let entries = try? await opened(reference).store.source.getAll(page).getCancelling()
      return .keys((entries ?? []).map(\.key))
    case .steps(let reference, let isRedo):
      return .steps(await steps(of: reference, isRedo: isRedo))
    case .paths(let text): return .paths(await environment.paths(text))
    }
  }
}
