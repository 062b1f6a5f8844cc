package import LarderModel

extension BrowserState {
  /// Lists the keys in another order from its first one on, or lets the user choose an order.
  ///
  /// A tree is in the order of its keys: its branches by size are in the overview, and with an order
  /// that is named it becomes a list.
  ///
  /// - Parameter typed: The name of the order, and `up` or `down`; empty for a choice.
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
      let names = choice.names.map(\.name).joined(separator: ", ")
      say("cannot sort by “\(typed)”; there are \(names), each up or down", .error)
      return []
    }
    if let obstacle = EntryOrder(field).obstacle(in: model.store.capabilities) {
      say("not sorted by \(field.title): \(obstacle)", .warning)
      return []
    }
    var order = choice.order(of: field)
    if let isDescending { order.isDescending = isDescending }
    return show(order)
  }

  private mutating func show(_ order: EntryOrder) -> Effects {
    guard let model = keys else { return [] }
    // Whoever puts a list in order wants to see what comes first, and can go back to where they were.
    if model.cursor.index > 0 || model.window.hasEarlier { leaveMark() }
    keys?.order = order
    keys?.tree = nil
    say(
      "by \(order.spoken)"
        + (model.tree == nil ? "" : "; \(settings.bindings.call("tree")) shows the tree again"))
    let effects = (model.tree == nil ? [] : [Cancel(.branchCount)]) + reloadKeys()
    // Where an order that was chosen before has not come yet, the list is still in the one before.
    keys?.orderBefore = model.orderBefore ?? model.order
    return effects
  }

  /// Stops to put the list in order: it stays as it was where it is in another order.
  mutating func stopSorting() -> Effects {
    guard let model = keys, let load = model.load else { return [] }
    keys?.load = nil
    keys?.seeking = nil
    keys?.wanted = nil
    if model.shownOrder.field == .match {
      keys?.isUnranked = true
      say("in the order of the keys, as it was not waited for the best matches")
      return reloadKeys()
    }
    if let before = model.orderBefore, load.replacement != nil {
      keys?.order = before
      keys?.orderBefore = nil
      say("stopped: the list is in the order of \(keys?.shownOrder.spoken ?? before.spoken)")
    } else {
      // What is shown is not what was looked for.
      if let replacement = load.replacement { showNothing(but: replacement) }
      keys?.isPaused = true
      say("stopped after \(model.examined) keys; going on past the last one begins again")
    }
    return [Cancel(.page)]
  }

  mutating func pageProgressed(examined: Int) -> Effects {
    guard let model = keys else { return [] }
    keys?.examined = examined
    // What was listed before is no answer to a filter that is still being looked for.
    if model.filter != nil, model.orderBefore == nil, let replacement = model.load?.replacement {
      showNothing(but: replacement)
    }
    return []
  }
}

/// The orders to choose from, and the one that the list is in.
package struct SortChoice: Sendable, Equatable {
  /// An order and its name in the prompt.
  struct Name: Sendable, Equatable {
    let name: String
    let field: EntryOrder.Field
  }

  /// The order of the list.
  package let present: EntryOrder
  /// What the store cannot be ordered by, which is not offered.
  private let obstacles: Set<EntryOrder.Field>

  /// The orders of this list, the selected column first.
  let names: [Name]

  /// The orders of every list.
  private static let fields: [EntryOrder.Field] = [
    .key, .size, .type, .modified, .expires, .used, .hits,
  ]

  /// What the columns of times are called, beside the names of orders.
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
        // A column that is called as an order is told from it by a colon.
        Name(name: fields.contains(column) ? ":" + column : column, field: .column(column))
      } + Self.fields.map { Name(name: $0.name, field: $0) }
  }

  /// The order that a line names, and its direction where the line says one; nil where it names none.
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

  /// What choosing a field means: its usual direction, or the other one where it is chosen already.
  func order(of field: EntryOrder.Field) -> EntryOrder {
    let isSame = present.field == field
    return EntryOrder(
      field,
      isDescending: isSame
        ? !present.isDescending : [.size, .modified, .used, .hits].contains(field))
  }

  /// What the line may mean.
  func suggestions(matching word: String) -> [Suggestion] {
    let possible = names.filter { !obstacles.contains($0.field) }
    return Suggestion.names(possible.map(\.name), matching: word).map { suggestion in
      let field = names.first { $0.name == suggestion.name }?.field ?? .key
      return Suggestion(name: suggestion.name, argument: nil, note: order(of: field).direction)
    }
  }
}

extension EntryOrder {
  /// The order in a few words.
  package var spoken: String {
    field == .match ? "the best matches" : "\(field.title), \(direction)"
  }

  /// What comes first.
  var direction: String {
    switch field {
    case .key, .type: isDescending ? "Z to A" : "A to Z"
    case .size: isDescending ? "largest first" : "smallest first"
    case .modified: isDescending ? "latest first" : "oldest first"
    case .expires: isDescending ? "latest first" : "soonest first"
    case .used: isDescending ? "latest use first" : "oldest use first"
    case .hits: isDescending ? "most used first" : "least used first"
    case .match: "best first"
    case .column: isDescending ? "descending" : "ascending"
    }
  }

  /// The order as a title shows it, nil where it is the one that keys have anyhow.
  package var mark: String? {
    if field == .match { return "best first" }
    return self == .key ? nil : "\(field.title) \(isDescending ? "↓" : "↑")"
  }
}
