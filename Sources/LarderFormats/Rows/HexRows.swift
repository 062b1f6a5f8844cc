/// Bytes as rows of a hex dump, each rendered on demand.
package struct HexRows: Sendable, Equatable {
  /// The bytes.
  package let bytes: [UInt8]
  /// The number of bytes per row.
  package let perLine: Int

  package init(_ bytes: [UInt8], width: Int) {
    self.bytes = bytes
    perLine = ValueFormat.bytesPerLine(width)
  }

  /// The number of rows.
  package var count: Int { (bytes.count + perLine - 1) / perLine }

  /// Returns a row, with the selected byte and search matches marked.
  package func line(at row: Int, marking search: ValueSearch?, selected: Int?) -> ValueLine {
    let start = row * perLine
    guard row >= 0, start < bytes.count else { return ValueLine([]) }
    let end = min(start + perLine, bytes.count)
    var marks: [Int: ValueLine.Mark] = [:]
    for match in search?.matches(in: bytes, touching: start..<end) ?? [] {
      for place in match.clamped(to: start..<end) { marks[place] = .match }
    }
    if let selected { marks[selected] = .cursor }
    return ValueFormat.hexLine(bytes[start..<end], at: start, perLine: perLine, marks: marks)
  }
}
