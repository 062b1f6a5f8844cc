import LarderFormats
import LarderModel

extension BrowserState {
  /// Whether null is allowed for a part of a value.
  func canBeNull(_ part: ValuePart, in store: StoreSummary) -> Bool {
    if part.member != nil { return value?.memberTypes.contains(.null) == true }
    let column = store.newColumns.first { part.column?.hasBytes(of: $0.name) ?? !store.hasRows }
    return column?.isNullable ?? store.kind.types.contains(.null)
  }

  /// Writes null instead of the edited value, or sets it in the current line of a new row.
  mutating func makeNull() -> Effects {
    if newRow != nil { return setNullInNewRow() }
    guard var editor, editor.saving == nil else { return [] }
    editor.makeNull()
    overlay = .editor(editor)
    return save(editor)
  }
}
