import LarderModel
import Harmony

/// Counts the entries of collections for the list of stores, by the estimates that stores have.
package struct CountCollections: BrowserEffect {
  package let stores: [StoreReference]

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    for reference in stores {
      var store = runner.registry.store(reference)?.store
      if store == nil {
        store = try? await runner.registry.location(reference.location)?.store(reference.collection)
      }
      if let total = await store?.total(precision: .estimate) {
        await reply(Count(store: reference, total: total))
      }
    }
  }

  package func receive(_ count: Count, in state: inout BrowserState) -> Effects {
    state.stores.counts[count.store] = count.total
    return []
  }

  /// The number of entries of a collection.
  package struct Count: Sendable, Equatable {
    package let store: StoreReference
    package let total: KeysModel.Total

    package init(store: StoreReference, total: KeysModel.Total) {
      self.store = store
      self.total = total
    }
  }
}

extension BrowserState {
  /// Counts the entries of the visible collections that are not counted yet, after the list of keys
  /// is shown.
  mutating func countCollections() -> Effects {
    guard let model = keys, opening == nil, model.load == nil else { return [] }
    if model.scope.isEmpty, let total = model.total { stores.counts[model.store.reference] = total }
    let uncounted = stores.takeUncounted(height: viewport.stores)
    return uncounted.isEmpty ? [] : [CountCollections(stores: uncounted)]
  }
}

extension Store {
  /// Returns the number of entries with a prefix, or `nil` if the store does not know it as
  /// precisely.
  func total(prefix: String = "", precision: CountQuery.Precision) async -> KeysModel.Total? {
    let query = CountQuery(prefix: prefix, precision: precision)
    guard let answer = try? await source.get(query).getCancelling(),
      case .integer(let count)? = answer.value
    else { return nil }
    return answer.isWhole ? .exactly(Int(count)) : .about(Int(count))
  }
}
