/// One row of text that was broken into rows.
public struct TextRow: Hashable, Sendable {
  /// The row as it is drawn: tabs are blanks, and what must not reach a terminal is spelled out.
  public let text: String
  /// The part of the whole text that the row shows, in bytes of UTF-8, without its line end.
  public let range: Range<Int>
  /// Where the next row begins; the same as the end of the text if there is none.
  public let next: Int
  /// Whether the row goes on with the line of the row before it.
  public let isContinuation: Bool
}

/// Breaks a text of any length into rows, but only where they are looked at.
///
/// Places in the text are offsets in bytes of UTF-8. Each function reads from the beginning of the
/// line that it is asked about, and no more than about a hundred thousand bytes before and after
/// that place: a line that is longer is broken at fixed places. So drawing a screenful of a hundred
/// megabytes costs no more than of one.
public struct TextWindow: Sendable {
  /// Where rows may end.
  public enum Breaking: Sendable {
    /// After a blank if the row has one, else anywhere.
    case words
    /// Anywhere.
    case characters
  }

  /// The number of bytes after which a line without end is broken.
  static let chunk = 65_536

  private let text: String
  private let width: Int
  private let breaking: Breaking
  private let tabWidth: Int

  /// Looks at a text in rows of so many cells, at least one.
  public init(_ text: String, width: Int, breaking: Breaking = .words, tabWidth: Int = 8) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    self.width = max(1, width)
    self.breaking = breaking
    self.tabWidth = tabWidth.clamped(to: 1...64)
  }

  /// The number of bytes of the whole text.
  public var count: Int { text.utf8.count }

  /// As many rows as asked for, or fewer at the end of the text, from the one that holds a place.
  ///
  /// A text that ends with a line end has an empty last row, and so has an empty text.
  public func rows(from offset: Int, count: Int) -> [TextRow] {
    guard count > 0 else { return [] }
    var rows: [TextRow] = []
    var next: RowStart? = rowStart(of: offset)
    while let start = next, rows.count < count {
      let row = row(at: start)
      rows.append(row.row)
      next = row.next
    }
    return rows
  }

  /// The place where the row begins that holds a place.
  public func start(of offset: Int) -> Int { rowStart(of: offset).offset }

  /// The place where the row begins that is so many rows further on, or back for a negative number.
  ///
  /// Stops at the first and the last row.
  public func offset(_ offset: Int, movedBy rows: Int) -> Int {
    var place = rowStart(of: offset).offset
    if rows >= 0 {
      return self.rows(from: place, count: rows.saturatingAdding(1)).last?.range.lowerBound ?? place
    }
    for _ in 0..<min(rows.magnitude, UInt(count) + 1) {
      guard place > 0 else { break }
      place = rowStart(of: place - 1).offset
    }
    return place
  }

  /// Where a row begins, and what is known about its line.
  private struct RowStart {
    /// The place.
    var offset: Int
    /// Where the row ends at the latest, if its line is very long.
    var limit: Int
    /// Whether the row goes on with the line of the row before it.
    var isContinuation: Bool
  }

  /// Where the row begins that holds a place, found by breaking its line from the beginning.
  private func rowStart(of offset: Int) -> RowStart {
    let offset = offset.clamped(to: 0...count)
    var start = lineStart(before: offset)
    while true {
      let row = row(at: start)
      guard offset >= row.row.next, let next = row.next else { return start }
      start = next
    }
  }

  /// Where the line, or the piece of a very long line, begins that holds a place.
  private func lineStart(before offset: Int) -> RowStart {
    let border = offset - offset % Self.chunk
    if let end = lastLineEnd(in: border..<offset) { return lineStart(at: end + 1) }
    guard border > 0 else { return lineStart(at: 0) }
    if let end = lastLineEnd(in: border - Self.chunk..<border) { return lineStart(at: end + 1) }
    let aligned = alignedToScalar(border)
    // The border may lie inside a scalar that holds the place too.
    guard aligned <= offset else { return lineStart(before: border - 1) }
    return lineStart(at: aligned, isContinuation: true)
  }

  /// A place where a line, or a piece of one, begins.
  private func lineStart(at offset: Int, isContinuation: Bool = false) -> RowStart {
    RowStart(offset: offset, limit: forcedEnd(from: offset), isContinuation: isContinuation)
  }

  /// Where a line without end that begins or goes on at a place is broken at the latest.
  private func forcedEnd(from start: Int) -> Int {
    let border = (start / Self.chunk + 1) * Self.chunk
    guard border < count else { return count }
    // With a line end shortly before it, the border is no place to break at; the next one is.
    let isSpared = lastLineEnd(in: border - Self.chunk..<border) != nil
    let end = isSpared ? border + Self.chunk : border
    return end < count ? alignedToScalar(end) : count
  }

  /// The last line feed among some bytes.
  private func lastLineEnd(in range: Range<Int>) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes[range].lastIndex(of: 10)
    } ?? nil
  }

  /// The place, or the next one after it where a scalar begins.
  private func alignedToScalar(_ offset: Int) -> Int {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var offset = offset
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      return offset
    } ?? offset
  }

  /// Reads one row, and where the next one begins if there is one.
  private func row(at start: RowStart) -> (row: TextRow, next: RowStart?) {
    var index = text.utf8.index(text.startIndex, offsetBy: start.offset)
    let limit = text.utf8.index(text.startIndex, offsetBy: start.limit)
    var line = RowBuilder(
      start: start.offset, isContinuation: start.isContinuation, width: width, tabWidth: tabWidth,
      breaksAtBlanks: breaking == .words)
    while index < limit {
      let next = min(text.index(after: index), limit)
      // A border may cut a character in two.
      let character = next == limit ? Character(String(text[index..<next])) : text[index]
      if character == "\n" || character == "\r\n" {
        let row = line.row(end: offset(of: index), next: offset(of: next))
        return (row, lineStart(at: row.next))
      }
      guard line.append(character, bytes: text.utf8.distance(from: index, to: next)) else {
        let row = line.brokenRow()
        return (row, RowStart(offset: row.next, limit: start.limit, isContinuation: true))
      }
      index = next
    }
    let row = line.row(end: start.limit, next: start.limit)
    return (row, start.limit < count ? lineStart(at: start.limit, isContinuation: true) : nil)
  }

  /// An index as an offset in bytes.
  private func offset(of index: String.Index) -> Int {
    text.utf8.distance(from: text.startIndex, to: index)
  }
}
