import LarderFormats
import LarderModel

extension BrowserState {
  /// The selected Boolean of the value, or text that is `true` or `false`; `nil` if something else is
  /// selected.
  ///
  /// A secret is only written as a whole, so that nothing inside it counts as selected.
  var selectedBoolean: Bool? {
    guard keys?.store.hidesValues == false, let entry = value?.entry.value else { return nil }
    switch entry.value.flatMap(partToEdit(of: entry).value) {
    case .bool(let isOn): return isOn
    case .text(let text): return Bool(text)
    case .data(let bytes): return bytes.count > 5 ? nil : bytes.plainText.flatMap { Bool($0) }
    default: return nil
    }
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
