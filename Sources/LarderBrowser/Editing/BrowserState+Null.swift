import LarderFormats
import LarderModel

extension BrowserState {
  /// Whether null can take the place of what is edited.
  func canBeNull(_ part: ValuePart, in store: StoreSummary) -> Bool {
    if part.member != nil { return value?.memberTypes.contains(.null) == true }
    let column = store.newColumns.first { part.column?.hasBytes(of: $0.name) ?? !store.hasRows }
    return column?.isNullable ?? store.kind.types.contains(.null)
  }

  /// Writes null in the place of what is edited, or chooses it for a line of a new row.
  mutating func makeNull() -> Effects {
    if newRow != nil { return setNullInNewRow() }
    guard var editor, editor.saving == nil else { return [] }
    editor.makeNull()
    overlay = .editor(editor)
    return save(editor)
  }
}
