import LarderModel

extension BrowserState {
  /// Saves the filter of the list under a name, or under its own text if the name is empty.
  mutating func saveFilter(_ typed: String) -> Effects {
    guard let model = keys, let place = place(of: model.store.reference) else { return [] }
    let text = model.filterText
    let filter = SavedFilter(place: place, name: typed.isEmpty ? text : typed, text: text)
    changeFilters(of: model.store.reference) { filters in
      filters.removeAll { $0.id == filter.id }
      filters.append(filter)
    }
    say(Messages.savedFilter(filter.name, filter: settings.bindings.call("filter")))
    return [SetItem(item: filter, isKept: true, token: newToken())]
  }

  /// Removes a saved filter of the store.
  mutating func forgetFilter(_ name: String) -> Effects {
    guard let model = keys else { return [] }
    let names = model.savedFilters.map(\.name)
    guard let filter = model.savedFilters.first(where: { $0.name.hasBytes(of: name) }) else {
      let advice = SpellingSuggestion.advice(
        for: name, in: names,
        otherwise: names.isEmpty ? Messages.noSavedFilters : names.joined(separator: ", "))
      say(Messages.noSavedFilter(name, advice), .warning)
      return []
    }
    changeFilters(of: model.store.reference) { $0.removeAll { $0.id == filter.id } }
    say(Messages.removedFilter(name))
    return [SetItem(item: filter, isKept: false, token: newToken())]
  }

  /// Changes the saved filters of a store in all tabs.
  mutating func changeFilters(
    of store: StoreReference, _ change: (inout [SavedFilter]) -> Void
  ) {
    if keys?.store.reference == store, var filters = keys?.savedFilters {
      change(&filters)
      keys?.savedFilters = filters
    }
    tabs.changeLists(of: store) { change(&$0.savedFilters) }
  }
}
