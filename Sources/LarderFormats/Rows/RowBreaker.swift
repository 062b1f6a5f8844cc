/// Breaks text in bytes into rows of at most so many columns, and at line feeds.
package struct RowBreaker {
  /// What is shown at least: on narrower screens rows are cut.
  package static let leastWidth = 4
  /// How many characters that take no room of their own are joined to what is before them.
  ///
  /// Without an end to them a row would have none, and be drawn for ever.
  package static let maximumJoins = 64

  private let width: Int

  package init(width: Int) {
    self.width = max(Self.leastWidth, width)
  }

  /// Where the row after the one that begins at a place begins; nil where the text ends first.
  ///
  /// - Parameters:
  ///   - start: Where the row begins, in the bytes or at their end.
  ///   - bytes: The text; bytes that are not UTF-8 take the room in which they are spelled out.
  ///   - used: The columns that are taken at the start of the row.
  /// - Returns: The place; behind a line feed, or where the row is full.
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
      // At least one scalar is on each row.
      let isFull = joins ? joined > Self.maximumJoins : column + columns > width
      if isFull, place > start || used > 0 { return place }
      column += columns
      place += length
    }
    return nil
  }

  /// The bytes of what is at a place, the columns it takes, and whether it joins what is before it.
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

  /// A line broken into rows, at least one; an address that is in it leads there on each of them.
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
