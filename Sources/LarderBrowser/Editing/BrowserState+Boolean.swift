import LarderFormats
import LarderModel

extension BrowserState {
  /// The selected Boolean of the value, or `nil` if something else is selected.
  ///
  /// A secret is only written as a whole, so that nothing inside it counts as selected.
  var selectedBoolean: Bool? {
    guard keys?.store.hidesValues == false, let entry = value?.entry.value,
      case .bool(let isOn)? = entry.value.flatMap(partToEdit(of: entry).value)
    else { return nil }
    return isOn
  }

  /// Writes the opposite of the selected Boolean; in a protected store, leaves it to Enter.
  mutating func toggleBoolean() -> Effects {
    guard let isOn = selectedBoolean else { return [] }
    let effects = editSelected()
    guard var editor else { return effects }
    editor.buffer = TextBuffer(String(!isOn))
    overlay = .editor(editor)
    return isProtected ? effects : effects + save(editor)
  }
}
