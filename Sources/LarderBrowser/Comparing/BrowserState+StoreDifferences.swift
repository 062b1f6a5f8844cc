import LarderModel
import LarderOperations

extension BrowserState {
  /// The list of differences between two stores, even while another overlay covers it.
  package var storeDifferences: StoreDifferencesModel? {
    get {
      if case .differences(let model)? = shownList { model } else { nil }
    }
    set {
      guard let newValue, case .differences? = shownList else { return }
      shownList = .differences(newValue)
    }
  }

  /// Toggles the mark of the selected store.
  mutating func markStore() -> Effects {
    guard let store = stores.selectedStore else { return [] }
    if stores.marked.remove(store) == nil { stores.marked.insert(store) }
    return []
  }

  /// Compares the current store with another, or the two marked stores.
  ///
  /// - Parameter name: The name of the other store, or an empty string to use the marked or
  ///   selected store.
  /// - Returns: The effects.
  mutating func compareStores(_ name: String) -> Effects {
    let own = keys?.store.reference
    if !name.isEmpty {
      guard let own, let other = openStores.named(name)?.store else {
        say(
          Messages.noOpenStore(name, open: settings.bindings.call("open-store")), .error)
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
    say(Messages.whichStores(mark: settings.bindings.call("mark-store")), .warning)
    return []
  }

  private mutating func compareStores(_ left: StoreReference, _ right: StoreReference) -> Effects {
    guard left != right else {
      say(Messages.sameStore, .warning)
      return []
    }
    guard let left = side(left), let right = side(right) else { return [] }
    // If the styles of the two stores differ, the one of the current store is used.
    let style = keys?.store.keyStyle ?? .typed
    stores.marked = []
    overlay = .differences(StoreDifferencesModel(left, right, style))
    return compareStoresAgain()
  }

  private func side(_ reference: StoreReference) -> StoreDifferencesModel.Side? {
    openStore(reference).map { StoreDifferencesModel.Side(store: reference, name: $0.name) }
  }

  /// Restarts the comparison of both stores.
  mutating func compareStoresAgain() -> Effects {
    guard var model = storeDifferences else { return [] }
    let ticket = ticket { $0.storeDifferences?.comparing }
    model.clear()
    model.comparing = ticket.token
    storeDifferences = model
    return [CompareStores(left: model.left.store, right: model.right.store, ticket: ticket)]
  }

  /// Stops a running comparison and keeps its partial result, or else clears the filter or closes
  /// the list.
  mutating func leaveDifferences() -> Effects {
    guard let model = storeDifferences else { return [] }
    if model.comparing != nil {
      storeDifferences?.comparing = nil
      storeDifferences?.failure = .cancelled
      return [Cancel(.differences)]
    }
    guard model.filter.isEmpty else { return filterList("") }
    return closeDifferences()
  }

  mutating func closeDifferences() -> Effects {
    closeList()
    return [Cancel(.differences)]
  }

  /// Compares both values of the selected entry.
  mutating func showDifference() -> Effects {
    guard let model = storeDifferences, let key = model.selected?.difference.key else { return [] }
    func place(_ side: StoreDifferencesModel.Side) -> CompareOrder.Place {
      .init(store: side.store, key: .known(key), name: side.name)
    }
    return start(CompareOrder(place: place(model.left), other: .counterpart(place(model.right))))
  }

  // MARK: Copying

  /// Copies the selected entry to the other store, if both versions are unchanged since they were
  /// compared.
  ///
  /// It asks for confirmation if the target is protected.
  mutating func copyDifference(toRight isToRight: Bool) -> Effects {
    guard let model = storeDifferences, let row = model.selected else { return [] }
    let (key, change) = (row.difference.key, row.difference.change)
    let (source, side) = isToRight ? (model.left, model.right) : (model.right, model.left)
    let shown = key.shown(model.keyStyle)
    guard change != (isToRight ? .added : .removed) else {
      say(Messages.nothingToCopy(shown, in: source.name), .warning)
      return []
    }
    guard let target = openStore(side.store) else {
      say(Messages.notOpen(side.name), .error)
      return []
    }
    let (seen, base) = isToRight ? (row.left, row.right) : (row.right, row.left)
    let order = TransferOrder(
      keys: [key], fingerprints: seen.map { [key: $0] } ?? [:], isMove: false,
      replaced: [key: base])
    let transfer = TransferModel(
      source: source.store, order: order, examples: shown, targets: [target])
    cover(.prompt(PromptModel(transfer, text: target.name)))
    return target.isProtected ? [] : self.transfer(needsName: true)
  }

  /// Reports the outcome of a copy from the list of differences, and updates the list.
  mutating func differenceCopied(
    _ transfer: TransferModel, _ result: OperationAnswer<Transfer.Outcome>
  ) -> Effects {
    guard let model = storeDifferences, let key = transfer.order.keys.first,
      let target = transfer.chosen
    else { return [] }
    overlay = nil
    let shown = key.shown(model.keyStyle)
    switch result {
    case .success(let outcome) where outcome.copied == 0:
      say(Messages.otherForm(shown, in: target.name), .warning)
      return []
    case .success(let outcome):
      let height = viewport.overlay
      storeDifferences?.settle(key, by: outcome.change, in: target.store, height: height)
      var text = Messages.copied(shown, to: target.name)
      if !outcome.left.isEmpty { text += Messages.left(outcome.left.list) }
      if outcome.change != nil {
        text += Messages.undoCopy(undo: settings.bindings.call("differences-undo"))
      }
      say(text, outcome.left.isEmpty ? .info : .warning)
      return listChanged(target.store)
    case .failure(let failure):
      if case .conflict = failure.reason {
        say(
          Messages.changedSinceCompared(
            shown, again: settings.bindings.call("differences-again")), .error)
      } else {
        say(failure.message, .error)
      }
      return []
    }
  }

  /// Undoes the last copy of the list, or redoes the one that was undone last.
  mutating func replayCopy(isRedo: Bool) -> Effects {
    guard let copy = storeDifferences?.nextCopy(isRedo: isRedo) else { return [] }
    return replay(ReplayRequest(isRedo: isRedo, step: copy.change), in: copy.store)
  }
}
