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
        for: name, in: names, otherwise: Messages.formats(names))
      say(Messages.noFormat(typed, advice), .error)
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
      return Messages.hidden(reveal: settings.bindings.call("reveal"))
    }
    guard let shown = model.shown else { return Messages.noValue(as: format.name) }
    if model.isUnread { return Messages.tryAgain(format.name) }
    return Messages.wrongFormat(
      format.name, format.shows, type: shown.type.rawValue, formats: model.formats,
      open: model.selectsFields ? settings.bindings.call("open") : nil)
  }
}
