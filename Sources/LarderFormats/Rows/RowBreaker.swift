/// Breaks text into rows at line feeds and at a maximum width.
package struct RowBreaker {
  /// The minimum width; rows are clipped on narrower screens.
  package static let minimumWidth = 4
  /// The maximum number of combining characters that are attached to the text before them.
  ///
  /// Without a limit, a row could be arbitrarily long and take forever to draw.
  package static let maximumJoins = 64

  private let width: Int

  package init(width: Int) {
    self.width = max(Self.minimumWidth, width)
  }

  /// Returns the start of the next row, or nil if the text ends on this row.
  ///
  /// - Parameters:
  ///   - start: The start of the current row, at most the number of bytes.
  ///   - bytes: The text; bytes that are not UTF-8 are as wide as their escape sequences.
  ///   - used: The number of columns already taken at the start of the row.
  /// - Returns: The offset after a line feed, or of the first character that does not fit.
  package func next(after start: Int, in bytes: UnsafeBufferPointer<UInt8>, used: Int = 0) -> Int? {
    var place = start
    var column = used
    var joined = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte >= 0x20, byte < 0x7F {
        column += 1
        if column > width { return place }
        place += 1
        continue
      }
      if byte == UInt8(ascii: "\n") { return place + 1 }
      let (length, columns, joins) = Self.step(at: place, in: bytes, column: column)
      joined = joins ? joined + 1 : 0
      // Each row has at least one scalar.
      let isFull = joins ? joined > Self.maximumJoins : column + columns > width
      if isFull, place > start || used > 0 { return place }
      column += columns
      place += length
    }
    return nil
  }

  /// Returns the length in bytes and the width of the character at an offset, and whether it
  /// combines with the previous one.
  private static func step(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>, column: Int
  ) -> (length: Int, columns: Int, joins: Bool) {
    let byte = bytes[place]
    if byte < 0x80 {
      let isTab = byte == UInt8(ascii: "\t")
      return (1, isTab ? MaximumWidth.tab - column % MaximumWidth.tab : 1, false)
    }
    var decoder = UTF8()
    var rest = bytes[place..<min(place + 4, bytes.count)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
      return (1, MaximumWidth.ofByte, false)
    }
    let joins = MaximumWidth.joins(scalar)
    return (UTF8.width(scalar), joins ? 0 : MaximumWidth.of(scalar), joins)
  }

  /// Breaks a line into one or more rows; each row of a web address links to the whole address.
  package func rows(of line: ValueLine) -> [ValueLine] {
    let line = line.linkingAddresses()
    var rows: [ValueLine] = []
    var row = ValueLine([], field: line.field)
    var used = 0
    for part in line.parts {
      var text = part.text
      text.withUTF8 { bytes in
        var start = 0
        while true {
          let end = next(after: start, in: bytes, used: used)
          let piece = bytes[start..<(end ?? bytes.count)]
          if !piece.isEmpty {
            row.parts.append(
              .init(String(decoding: piece, as: UTF8.self), part.role, link: part.link))
          }
          guard let end else {
            used += Self.columns(of: piece)
            return
          }
          rows.append(row)
          row = ValueLine([], field: line.field)
          used = 0
          start = end
        }
      }
    }
    return rows + [row]
  }

  private static func columns(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    let whole = UnsafeBufferPointer(rebasing: bytes)
    var place = 0
    var columns = 0
    while place < whole.count {
      let step = step(at: place, in: whole, column: columns)
      columns += step.columns
      place += step.length
    }
    return columns
  }
}
