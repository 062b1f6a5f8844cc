import LarderModel
import LarderOperations

extension BrowserState {
  /// The differences of two stores over the panes, also while something lies over them.
  package var storeDifferences: StoreDifferencesModel? {
    get {
      if case .differences(let model)? = shownList { model } else { nil }
    }
    set {
      guard let newValue, case .differences? = shownList else { return }
      shownList = .differences(newValue)
    }
  }

  /// Marks the selected store, or takes its mark away.
  mutating func markStore() -> Effects {
    guard let store = stores.selectedStore else { return [] }
    if stores.marked.remove(store) == nil { stores.marked.insert(store) }
    return []
  }

  /// Compares the store that is shown with another, or the two stores that are marked in the list of
  /// stores.
  ///
  /// - Parameter name: The name of the other store; empty for what is marked, or selected.
  /// - Returns: The effects.
  mutating func compareStores(_ name: String) -> Effects {
    let own = keys?.store.reference
    if !name.isEmpty {
      guard let own, let other = openStore(named: name)?.store else {
        say(
          "no open store is called “\(name)”; \(settings.bindings.call("open-store")) opens another",
          .error)
        return []
      }
      return compareStores(own, other)
    }
    let marked = stores.rows.map(\.reference).filter(stores.marked.contains)
    let selected = focus == .stores ? stores.selectedStore : nil
    switch marked.count {
    case 2: return compareStores(marked[0], marked[1])
    case 1:
      if let other = [selected, own].compactMap({ $0 }).first(where: { $0 != marked[0] }) {
        return compareStores(marked[0], other)
      }
    case 0:
      if let own, let selected, own != selected { return compareStores(own, selected) }
    default: break
    }
    say(
      "mark two stores in the list of stores (Space), or name one: :compare-stores STORE",
      .warning)
    return []
  }

  private mutating func compareStores(_ left: StoreReference, _ right: StoreReference) -> Effects {
    guard left != right else {
      say("that is the store that is shown; choose another", .warning)
      return []
    }
    guard let left = side(left), let right = side(right) else { return [] }
    // A key that both write in the same way is shown in that way.
    let style = keys?.store.keyStyle ?? .typed
    overlay = .differences(StoreDifferencesModel(left, right, style))
    return compareStoresAgain()
  }

  private func side(_ reference: StoreReference) -> StoreDifferencesModel.Side? {
    storeName(reference).map { StoreDifferencesModel.Side(store: reference, name: $0) }
  }

  /// Compares both stores from the first entry.
  mutating func compareStoresAgain() -> Effects {
    guard var model = storeDifferences, model.copying == nil else { return [] }
    let ticket = ticket { $0.storeDifferences?.comparing }
    model.clear()
    model.comparing = ticket.token
    storeDifferences = model
    return [CompareStores(left: model.left.store, right: model.right.store, ticket: ticket)]
  }

  /// Stops the comparison and keeps what was found; closes the list where none runs.
  mutating func leaveDifferences() -> Effects {
    guard let model = storeDifferences else { return [] }
    if model.comparing != nil {
      storeDifferences?.comparing = nil
      storeDifferences?.failure = .cancelled
      return [Cancel(.differences)]
    }
    guard model.filter.isEmpty else { return filterDifferences("") }
    return closeDifferences()
  }

  mutating func closeDifferences() -> Effects {
    closeList()
    return [Cancel(.differences)]
  }

  mutating func filterDifferences(_ text: String) -> Effects {
    let height = viewport.overlay
    storeDifferences?.filter(by: text, height: height)
    return []
  }

  /// Shows both values of the selected entry.
  mutating func showDifference() -> Effects {
    guard let model = storeDifferences, let key = model.selected?.difference.key else { return [] }
    func place(_ side: StoreDifferencesModel.Side) -> CompareOrder.Place {
      .init(store: side.store, key: .known(key), name: side.name)
    }
    return start(CompareOrder(place: place(model.left), other: .counterpart(place(model.right))))
  }

  // MARK: Copying

  /// Copies the selected entry to the other store, if both still are what was compared.
  mutating func copyDifference(toRight isToRight: Bool) -> Effects {
    guard let model = storeDifferences, let row = model.selected, model.copying == nil else {
      return []
    }
    let (key, change) = (row.difference.key, row.difference.change)
    guard change != (isToRight ? .added : .removed) else {
      let side = isToRight ? model.left : model.right
      say("\(key.shown(model.keyStyle)) is not in \(side.name): there is nothing to copy", .warning)
      return []
    }
    let token = newToken()
    guard begin(WorkModel(token: token, total: 1, .copy)) else { return [] }
    storeDifferences?.copying = .init(token: token, key: key, isToRight: isToRight)
    let (seen, base) = isToRight ? (row.left, row.right) : (row.right, row.left)
    let order = TransferOrder(
      keys: [key], fingerprints: seen.map { [key: $0] } ?? [:], isMove: false,
      replaced: [key: base])
    let (source, target) =
      isToRight ? (model.left.store, model.right.store) : (model.right.store, model.left.store)
    return [TransferEntries(order: order, source: source, target: target, token: token)]
  }

  /// Takes what became of a copy; nil where it was not asked for by the list of differences.
  mutating func differenceCopied(
    token: Int, _ result: OperationAnswer<Transfer.Outcome>
  ) -> Effects? {
    guard let model = storeDifferences, let copy = model.copying, copy.token == token else {
      return nil
    }
    storeDifferences?.copying = nil
    let target = copy.isToRight ? model.right : model.left
    let key = copy.key.shown(model.keyStyle)
    switch result {
    case .success(let outcome):
      let height = viewport.overlay
      storeDifferences?.settle(copy.key, height: height)
      storeDifferences?.lastTarget = target.store
      var text = "copied \(key) to \(target.name)"
      if !outcome.left.isEmpty { text += ", which has no place for \(outcome.left.list)" }
      say(
        text + "; \(settings.bindings.call("differences-undo")) undoes it",
        outcome.left.isEmpty ? .info : .warning)
      return listChanged(target.store)
    case .failure(let failure):
      if case .conflict = failure.reason {
        say(
          "\(key) changed since the stores were compared; nothing was written. "
            + "\(settings.bindings.call("differences-again")) compares again", .error)
      } else {
        say(failure.message, .error)
      }
      return []
    }
  }

  /// Undoes the last change of the store that an entry was last copied to.
  mutating func undoCopiedDifference() -> Effects {
    guard let store = storeDifferences?.lastTarget else { return [] }
    let ticket = ticket { $0.undo.replaying?.token }
    undo.replaying = Replay(token: ticket.token, isRedo: false)
    storeDifferences?.lastTarget = nil
    return [ReplayStep(store: store, request: ReplayRequest(), ticket: ticket)]
  }
}
