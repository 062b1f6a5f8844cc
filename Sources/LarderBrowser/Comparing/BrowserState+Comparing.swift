import LarderModel

extension BrowserState {
  /// Compares the two marked values, or the selected one with another.
  ///
  /// - Parameter typed: The key of the other entry, optionally after the name of an open store and
  ///   a space. If it is empty, the marked entries are compared, or the user is asked for the key.
  /// - Returns: The effects.
  mutating func compare(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    let store = model.store.reference
    let own = model.selected?.key
    if typed.isEmpty {
      let chosen = model.marked.sorted()
      if chosen.count > 2 {
        say(Messages.tooManyMarked(chosen.count), .warning)
        return []
      }
      let both = chosen.count == 2 ? chosen : chosen + [own].compactMap { $0 }
      if both.count == 2, both[0] != both[1], both.allSatisfy({ $0.branchPrefix == nil }) {
        return start(
          CompareOrder(
            place: .init(store: store, key: .known(both[0])),
            other: .first([.init(store: store, key: .known(both[1]))])))
      }
    }
    guard let key = own ?? model.marked.first, key.branchPrefix == nil else { return [] }
    let place = CompareOrder.Place(store: store, key: .known(key))
    if !typed.isEmpty { return compare(place, with: typed) }
    overlay = .prompt(PromptModel(ComparePrompt(place: place)))
    return []
  }

  /// Compares an entry with the one that the text specifies.
  mutating func compare(_ place: CompareOrder.Place, with typed: String) -> Effects {
    guard !typed.isEmpty else { return [] }
    var places = [CompareOrder.Place(store: place.store, key: .known(key(typed)))]
    // Keys and names of stores can both contain spaces.
    for space in typed.indices where typed[space] == " " {
      let name = String(typed[..<space])
      let rest = String(typed[typed.index(after: space)...])
      guard !rest.isEmpty, let store = openStores.named(name) else { continue }
      places.append(.init(store: store.store, key: .typed(rest), name: store.name))
    }
    return start(CompareOrder(place: place, other: .first(places)))
  }

  /// Compares the selected entry with its version before the last change.
  mutating func compareBefore() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    return start(
      CompareOrder(
        place: .init(store: model.store.reference, key: .known(key)), other: .before))
  }

  /// Compares the cached value of the selected entry with that of the backing store.
  mutating func compareWithBacking() -> Effects {
    guard let model = keys, let key = model.selected?.key else { return [] }
    return start(
      CompareOrder(
        place: .init(store: model.store.reference, key: .known(key)),
        other: .backing(ofOwn: cache != nil)))
  }

  mutating func start(_ order: CompareOrder) -> Effects {
    let ticket = ticket { $0.comparing }
    comparing = ticket.token
    return [CompareValues(order: order, ticket: ticket)]
  }

  mutating func compared(_ result: Answer<ComparisonModel>) -> Effects {
    comparing = nil
    switch result {
    case .success(let model):
      // Do not cover an overlay in which the user may be typing or answering a question.
      guard canCover else {
        say(
          Messages.comparisonReady(compare: settings.bindings.call("compare")), .warning)
        return []
      }
      cover(.comparison(model))
    case .failure(.cancelled): break
    case .failure(let error): say(error.message, .error)
    }
    return []
  }

  /// Goes to the next or previous difference, wrapping around at the ends.
  mutating func goToDifference(by step: Int) -> Effects {
    guard case .comparison(var model) = overlay else { return [] }
    let places = viewport.comparison.differences
    guard !places.isEmpty else {
      say(Messages.sameValues)
      return []
    }
    let wanted = min(model.present, places.count - 1) + step
    if !places.indices.contains(wanted) {
      say(Messages.differenceAgain(isFirst: step > 0))
    }
    model.present = (wanted + places.count) % places.count
    model.scroll = places[model.present]
    overlay = .comparison(model)
    return []
  }

  /// Toggles the folding of equal lines.
  mutating func foldSame() -> Effects {
    guard case .comparison(var model) = overlay else { return [] }
    // The difference at or before the top of the screen stays there.
    let scroll = model.scroll ?? viewport.comparison.start
    let places = viewport.comparison.differences
    model.present = places.lastIndex { $0 <= scroll } ?? 0
    model.isFolded.toggle()
    model.scroll = nil
    overlay = .comparison(model)
    return []
  }

  /// Copies the difference as text to the clipboard.
  mutating func copyDifference() -> Effects {
    guard case .comparison(let model) = overlay else { return [] }
    switch model.difference {
    case .text(let text): return copy(text)
    case .none(let reason): say(Messages.nothing("copied", since: reason), .warning)
    }
    return []
  }
}
