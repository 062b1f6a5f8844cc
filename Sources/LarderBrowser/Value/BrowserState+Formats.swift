import LarderModel
import LarderFormats

extension BrowserState {
  /// Shows the value in another format, or reports why that is not possible.
  ///
  /// - Parameter typed: The name of the format, or an empty string for the next one.
  /// - Returns: The effects.
  mutating func showValue(as typed: String) -> Effects {
    guard !typed.isEmpty, let model = value else {
      value?.changeFormat()
      return []
    }
    let names = ValueFormat.all.map(\.name)
    let name = typed.lowercased()
    guard let format = ValueFormat.named(name) else {
      let advice = SpellingSuggestion.advice(
        for: name, in: names, otherwise: "the formats are \(names.joined(separator: ", "))")
      say("unknown format “\(typed)”; \(advice)", .error)
      return []
    }
    if format.name == ValueFormat.record.name, let effects = closeColumn() { return effects }
    guard model.formats.contains(name) else {
      say(obstacle(to: format, of: model), .warning)
      return []
    }
    value?.show(as: name)
    return []
  }

  /// Returns the reason that a value cannot be shown in a format, with advice.
  private func obstacle(to format: ValueFormat, of model: ValueModel) -> String {
    if model.isConcealed {
      return "the value is hidden; \(settings.bindings.call("reveal")) shows it"
    }
    guard let shown = model.shown else { return "there is no value to show as \(format.name)" }
    if model.isUnread {
      return "the value is still being read; try \(format.name) again afterwards"
    }
    let column =
      model.selectsFields ? "; \(settings.bindings.call("open")) on a column opens that" : ""
    return "\(format.name) shows \(format.shows), not this \(shown.type.rawValue); try "
      + "\(model.formats.joined(separator: ", "))" + column
  }
}
