package import LarderModel

extension BrowserState {
  /// Sorts the list and shows it from its start, or prompts for an order.
  ///
  /// A tree is always in key order. Without an argument, its branches are shown by size in the
  /// overview; with one, the tree becomes a list.
  ///
  /// - Parameter typed: The name of the order, optionally followed by `up` or `down`; empty to
  ///   prompt for it.
  /// - Returns: The effects.
  mutating func sort(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    let choice = SortChoice(model)
    // With a column selected, no prompt is needed.
    if typed.isEmpty, let column = shownGrid?.selected {
      return sort(EntryOrder.Field.column(column).name)
    }
    if typed.isEmpty, model.shownTree != nil { return openOverview() }
    guard !typed.isEmpty else {
      overlay = .prompt(PromptModel(choice))
      return []
    }
    guard let (field, isDescending) = choice.order(typed: typed) else {
      say(Messages.noOrder(typed, choice.names.map(\.name)), .error)
      return []
    }
    if let obstacle = EntryOrder(field).obstacle(in: model.store.capabilities) {
      say(Messages.notSorted(by: field.title, obstacle), .warning)
      return []
    }
    var order = choice.order(of: field)
    if let isDescending { order.isDescending = isDescending }
    return show(order)
  }

  private mutating func show(_ order: EntryOrder) -> Effects {
    guard let model = keys else { return [] }
    // Sorting shows the first rows, and the mark leads back to the previous position.
    if model.cursor.index > 0 || model.window.hasEarlier { leaveMark() }
    keys?.order = order
    keys?.tree = nil
    say(
      Messages.sorted(
        by: order.spoken, tree: model.tree == nil ? nil : settings.bindings.call("tree")))
    let effects = (model.tree == nil ? [] : [Cancel(.branchCount)]) + reloadKeys()
    // If a previous sort has not finished, the list is still in the order before that.
    keys?.orderBefore = model.orderBefore ?? model.order
    return effects + saveGrid()
  }

  /// Stops sorting and returns to the previous order of the list, if it had another one.
  mutating func stopSorting() -> Effects {
    guard let model = keys, let load = model.load else { return [] }
    keys?.load = nil
    keys?.seeking = nil
    keys?.wanted = nil
    if model.shownOrder.field == .match {
      keys?.isUnranked = true
      say(Messages.stoppedRanking)
      return reloadKeys()
    }
    if let before = model.orderBefore, load.replacement != nil {
      keys?.order = before
      keys?.orderBefore = nil
      say(Messages.stillSorted(by: keys?.shownOrder.spoken ?? before.spoken))
      // Nothing was listed before in a table that was opened in an order chosen earlier.
      return [Cancel(.page)] + loadNeeded() + saveGrid()
    } else {
      // The rows shown are not those that were requested.
      if let replacement = load.replacement { showNothing(but: replacement) }
      keys?.isPaused = true
      say(Messages.stoppedScan(after: model.examined, continues: false))
    }
    return [Cancel(.page)]
  }

  mutating func pageProgressed(examined: Int) -> Effects {
    guard let model = keys else { return [] }
    keys?.examined = examined
    // The old rows do not match a filter that is still being applied.
    if model.filter != nil, model.orderBefore == nil, !model.isRereading,
      let replacement = model.load?.replacement
    {
      showNothing(but: replacement)
    }
    return []
  }
}

/// The available sort orders, and the current one.
package struct SortChoice: Sendable, Equatable {
  /// An order and its name in the prompt.
  struct Name: Sendable, Equatable {
    let name: String
    let field: EntryOrder.Field
  }

  /// The current order of the list.
  package let present: EntryOrder
  /// The orders that the store does not support, which are not suggested.
  private let obstacles: Set<EntryOrder.Field>

  /// The orders of this list, with the selected column first.
  let names: [Name]

  /// The orders that every list has.
  private static let fields: [EntryOrder.Field] = [
    .key, .size, .type, .modified, .expires, .used, .hits,
  ]

  /// The titles of time columns, as further names of orders.
  private static let titles: [String: EntryOrder.Field] = [
    "state": .expires, "left": .expires, "life": .expires, "age": .modified,
  ]

  init(_ model: KeysModel) {
    present = model.order
    obstacles = Set(
      Self.fields.filter { EntryOrder($0).obstacle(in: model.store.capabilities) != nil })
    let selected = model.grid?.selected
    let columns = (model.grid?.columns ?? []).filter { $0 != selected }
    let fields = Set(Self.fields.map(\.name))
    names =
      ((selected.map { [$0] } ?? []) + columns).map { column in
        // A column that has the name of an order is distinguished by a colon.
        Name(name: fields.contains(column) ? ":" + column : column, field: .column(column))
      } + Self.fields.map { Name(name: $0.name, field: $0) }
  }

  /// Returns the order with the given name and its direction, if specified; returns `nil` for an
  /// unknown name.
  func order(typed: String) -> (field: EntryOrder.Field, isDescending: Bool?)? {
    let endings: [(String, Bool?)] = [("", nil), (" up", false), (" down", true)]
    for (ending, isDescending) in endings where typed.lowercased().hasSuffix(ending) {
      let name = String(typed.dropLast(ending.count))
      if let field = field(named: name) { return (field, isDescending) }
    }
    return nil
  }

  private func field(named name: String) -> EntryOrder.Field? {
    let found =
      names.first { $0.name == name || $0.field.name == name }
      ?? names.first { $0.name.lowercased() == name.lowercased() }
    return found?.field ?? Self.titles[name.lowercased()]
  }

  /// Returns the order for a field: its default direction, or the reverse if it is already the
  /// current one.
  func order(of field: EntryOrder.Field) -> EntryOrder {
    let isSame = present.field == field
    return EntryOrder(
      field,
      isDescending: isSame
        ? !present.isDescending : [.size, .modified, .used, .hits].contains(field))
  }

  /// Returns the orders that match a typed word.
  func suggestions(matching word: String) -> [Suggestion] {
    var possible = names.filter { !obstacles.contains($0.field) }
    // A column with a similar name sorts by the stored numbers, rather than by the time left.
    let expires = possible.firstIndex {
      $0.field == .expires && $0.name.hasPrefix(word.lowercased())
    }
    if let expires, !word.isEmpty { possible.insert(possible.remove(at: expires), at: 0) }
    return Suggestion.names(possible.map(\.name), matching: word).map { suggestion in
      let field = names.first { $0.name == suggestion.name }?.field ?? .key
      return Suggestion(name: suggestion.name, argument: nil, note: order(of: field).direction)
    }
  }
}
