import LarderModel

extension BrowserState {
  /// The list of changes, even while another overlay covers it.
  package var changes: ChangesModel? {
    get {
      if case .changes(let model)? = shownList { model } else { nil }
    }
    set {
      guard let newValue, case .changes? = shownList else { return }
      shownList = .changes(newValue)
    }
  }

  /// Lists the changes by other programs since watching began.
  mutating func openChanges() -> Effects {
    guard let model = keys, let watch = model.watch else { return [] }
    overlay = .changes(ChangesModel(store: model.store, log: watch.log))
    return []
  }

  mutating func closeChanges() -> Effects {
    closeList()
    return []
  }

  /// Compares the values before and after the selected change.
  mutating func showChange() -> Effects {
    guard let model = changes, let item = model.selected else { return [] }
    guard let difference = item.difference else {
      say(Messages.notCompared, .warning)
      return []
    }
    let key = text(of: difference.key, in: model.store.reference)
    func entry(_ value: StoredValue?) -> Entry {
      value.map { Entry(key: difference.key, value: $0) } ?? Entry(key: difference.key)
    }
    cover(
      .comparison(
        ComparisonModel(
          title: key, ("before", entry(difference.old)), ("after", entry(difference.value)))))
    return []
  }

  /// Selects the entry of the selected change in the list of keys.
  mutating func goToChange() -> Effects {
    guard let item = changes?.selected else { return [] }
    return closeChanges() + goTo(item.line.key)
  }
}
