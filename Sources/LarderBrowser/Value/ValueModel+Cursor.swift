import LarderModel
package import LarderFormats

extension ValueModel {
  /// Whether rows are selected one by one, as those of records and trees are.
  package var selectsRows: Bool {
    switch content.body {
    case .tree: true
    case .lines: selectsFields || format == ValueFormat.record.name
    case .text, .bytes: false
    }
  }

  /// Whether bytes are selected one by one.
  package var selectsBytes: Bool {
    if case .bytes(let rows) = content.body { !rows.bytes.isEmpty } else { false }
  }

  /// How many bytes can be selected.
  var byteCount: Int {
    if case .bytes(let rows) = content.body { rows.bytes.count } else { 0 }
  }

  /// What the selected byte, with those after it, may stand for, in lines of a width.
  package func inspection(width: Int) -> [ValueLine] {
    guard case .bytes(let rows) = content.body else { return [] }
    return ByteInspector.lines(rows.bytes, at: byte, width: width)
  }

  /// Makes known the rows around those that are shown.
  mutating func extend() {
    content.extend(to: cursor.top.saturatingAdding(1_000))
  }

  /// Moves what is selected, or what is shown, by rows.
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

  /// Shows other rows, and keeps what is selected in view.
  mutating func scroll(by rows: Int, height: Int) {
    content.extend(to: cursor.top.saturatingAdding(rows).saturatingAdding(height))
    let rows = max(-content.count, min(rows, content.count))
    cursor.scroll(by: rows, count: content.count, height: height)
    guard case .bytes(let shown) = content.body, selectsBytes else { return }
    let row = byte / shown.perLine + content.head.count
    let kept = max(cursor.top, min(row, cursor.top + max(1, height) - 1)) - content.head.count
    byte = max(0, min(byte + (kept - row + content.head.count) * shown.perLine, byteCount - 1))
  }

  /// Selects a row that was pointed at.
  mutating func select(row: Int, height: Int) {
    if case .bytes(let shown) = content.body, selectsBytes {
      select(byte: (row - content.head.count) * shown.perLine, height: height)
    } else if selectsRows {
      cursor.select(row, count: content.count, height: height)
    }
  }

  /// Selects a byte and shows it.
  mutating func select(byte place: Int, height: Int) {
    guard case .bytes(let shown) = content.body else { return }
    byte = max(0, min(place, byteCount - 1))
    // The facts above the first bytes come into view with them.
    let row = byte < shown.perLine ? 0 : byte / shown.perLine + content.head.count
    cursor.select(row, count: content.count, height: height)
    if byte < shown.perLine {
      cursor.select(content.head.count, count: content.count, height: height)
    }
  }

  /// Moves the selected byte by bytes; false where there is none to be moved, or it is the first.
  mutating func moveByte(by count: Int, height: Int) -> Bool {
    guard selectsBytes, byte + count >= 0 else { return false }
    select(byte: byte + count, height: height)
    return true
  }

  /// Keeps what is selected in view.
  mutating func reveal(height: Int) {
    extend()
    // The place in a value that is being read again stays.
    guard content.count > 0 || entry != .running else { return }
    if selectsBytes { return select(byte: byte, height: height) }
    cursor.reveal(count: content.count, height: height)
  }
}

extension Int {
  /// The product, or the maximum number of its sign where there is none.
  fileprivate func saturatingMultiplied(by other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
