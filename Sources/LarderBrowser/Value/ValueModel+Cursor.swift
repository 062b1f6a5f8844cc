import LarderModel
package import LarderFormats

extension ValueModel {
  /// Whether single rows can be selected, as in records and trees.
  package var selectsRows: Bool {
    switch content.body {
    case .tree: true
    case .lines: selectsFields || format == ValueFormat.record.name
    case .text, .bytes: false
    }
  }

  /// Whether single bytes can be selected.
  package var selectsBytes: Bool {
    if case .bytes(let rows) = content.body { !rows.bytes.isEmpty } else { false }
  }

  /// The number of selectable bytes.
  var byteCount: Int {
    if case .bytes(let rows) = content.body { rows.bytes.count } else { 0 }
  }

  /// Returns interpretations of the bytes from the selected one on, as lines of a given width.
  package func inspection(width: Int) -> [ValueLine] {
    guard case .bytes(let rows) = content.body else { return [] }
    return ByteInspector.lines(rows.bytes, at: byte, width: width)
  }

  /// Computes the rows around the visible ones.
  mutating func extend() {
    content.extend(to: cursor.top.saturatingAdding(1_000))
  }

  /// Moves the selection, or scrolls if there is none.
  mutating func move(by rows: Int, height: Int) {
    if case .bytes(let shown) = content.body, selectsBytes {
      return select(
        byte: byte.saturatingAdding(rows.saturatingMultiplied(by: shown.perLine)), height: height)
    }
    if selectsRows {
      let row = max(0, min(cursor.index.saturatingAdding(rows), content.count - 1))
      cursor.select(row, count: content.count, height: height)
    } else {
      scroll(by: rows, height: height)
    }
  }

  /// Scrolls, and keeps the selection in view.
  mutating func scroll(by rows: Int, height: Int) {
    content.extend(to: cursor.top.saturatingAdding(rows).saturatingAdding(height))
    let rows = max(-content.count, min(rows, content.count))
    cursor.scroll(by: rows, count: content.count, height: height)
    guard case .bytes(let shown) = content.body, selectsBytes else { return }
    let row = byte / shown.perLine + content.head.count
    let kept = max(cursor.top, min(row, cursor.top + max(1, height) - 1)) - content.head.count
    byte = max(0, min(byte + (kept - row + content.head.count) * shown.perLine, byteCount - 1))
  }

  /// Selects a row that was clicked.
  mutating func select(row: Int, height: Int) {
    if case .bytes(let shown) = content.body, selectsBytes {
      select(byte: (row - content.head.count) * shown.perLine, height: height)
    } else if selectsRows {
      cursor.select(row, count: content.count, height: height)
    }
  }

  /// Selects a byte and scrolls to it.
  mutating func select(byte place: Int, height: Int) {
    guard case .bytes(let shown) = content.body else { return }
    byte = max(0, min(place, byteCount - 1))
    // The header lines above the first bytes are scrolled into view with them.
    let row = byte < shown.perLine ? 0 : byte / shown.perLine + content.head.count
    cursor.select(row, count: content.count, height: height)
    if byte < shown.perLine {
      cursor.select(content.head.count, count: content.count, height: height)
    }
  }

  /// Moves the byte selection; returns `false` at the first byte or if there is no selection.
  mutating func moveByte(by count: Int, height: Int) -> Bool {
    guard selectsBytes, byte + count >= 0 else { return false }
    select(byte: byte + count, height: height)
    return true
  }

  /// Scrolls to the selection.
  mutating func reveal(height: Int) {
    extend()
    // The position is kept while a value is being read again.
    guard content.count > 0 || entry != .running else { return }
    if selectsBytes { return select(byte: byte, height: height) }
    cursor.reveal(count: content.count, height: height)
  }
}

extension Int {
  /// Returns the product, clamped to the range of `Int`.
  fileprivate func saturatingMultiplied(by other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
