import LarderModel
import LarderFormats

extension ComparisonModel {
  /// Creates a comparison of the entries of a change before and after it, one below the other.
  ///
  /// - Parameters:
  ///   - step: The change.
  ///   - title: The description of the change.
  ///   - entries: All entries of the change, or the first ones.
  ///   - style: The way in which the store displays keys.
  ///   - isCancelled: Returns whether to end the comparison early because its result is not needed.
  init(
    _ step: ChangeSummary, title: String, _ entries: [ChangedEntry], _ style: KeyStyle,
    isCancelled: @escaping () -> Bool
  ) {
    let names = ValueComparison.Names.two(
      Messages.before(change: step.number), Messages.after(change: step.number))
    var parts: [(title: String?, comparison: ValueComparison)] = []
    var differences: [String] = []
    for entry in entries where !isCancelled() {
      let key = entry.key.shown(style)
      if let newKey = entry.newKey {
        let keys = (StoredValue.text(key), StoredValue.text(newKey.shown(style)))
        parts.append((entries.count > 1 ? "renamed" : nil, .init(keys.0, keys.1, names: names)))
        continue
      }
      let comparison = ValueComparison(
        entry.before, entry.after, names: names, isCancelled: isCancelled)
      let mark = entry.before == nil ? "+ " : entry.after == nil ? "- " : "~ "
      parts.append((entries.count > 1 ? mark + key : nil, comparison))
      let text = UnifiedDifference(
        entry.before ?? .text(""), entry.after ?? .text(""), names: .two(key, key),
        isCancelled: isCancelled)
      if case .text(let text) = text { differences.append(text) }
    }
    let others = step.count - entries.count
    if others > 0 { parts.append((Messages.moreChanged(others), .init(nil, nil, names: names))) }
    self.init(
      title: title, comparison: ValueComparison(joining: parts, names: names),
      difference: differences.isEmpty
        ? .none(Messages.noValueDifference) : .text(differences.joined()),
      areSame: false)
  }
}
