import LarderModel

extension BrowserState {
  /// Goes to the next or previous entry that stands out: one that others changed, while the store is
  /// watched; a marked one; or a match of the filter.
  mutating func step(by step: Int) -> Effects {
    guard let model = keys else { return [] }
    let changed = model.watch?.changes.values.filter { $0.change != .removed }.map(\.key) ?? []
    if !changed.isEmpty { return go(by: step, among: changed, "changed") }
    if !model.marked.isEmpty { return go(by: step, among: Array(model.marked), "marked") }
    guard !model.filterText.isEmpty else {
      say(Messages.noMoreToStepTo, .warning)
      return []
    }
    // Every row is a match.
    return moveKeys(by: step)
  }

  /// Goes to the next or previous of some keys, in key order, and starts over after the last.
  private mutating func go(by step: Int, among keys: [EntryKey], _ what: String) -> Effects {
    let keys = keys.sorted()
    guard let model = self.keys, let first = keys.first, let last = keys.last else { return [] }
    let own = model.selected?.key
    let next = own.flatMap { own in
      step > 0 ? keys.first { $0 > own } : keys.last { $0 < own }
    }
    if own != nil, next == nil {
      say(Messages.continued(isForward: step > 0, in: what))
    }
    let key = next ?? (step > 0 ? first : last)
    // A listed entry is selected where it is, so that the filter stays.
    if let row = model.window.entries.firstIndex(where: { $0.key == key }) {
      leaveMark()
      return moveKeys(to: row)
    }
    return goTo(key)
  }
}
