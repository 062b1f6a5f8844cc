/// A row of wrapped text.
public struct TextRow: Hashable, Sendable {
  /// The row as drawn, with tabs as blanks and control characters escaped.
  public let text: String
  /// The UTF-8 range of the whole text that the row shows, without its line end.
  public let range: Range<Int>
  /// The start of the next row, or the end of the text if there is none.
  public let next: Int
  /// Whether the row continues the line of the previous row.
  public let isContinuation: Bool
}

/// Wraps a text of any length into rows, processing only the rows that are requested.
///
/// Positions in the text are UTF-8 offsets. Each function reads from the start of the relevant
/// line, but at most about a hundred thousand bytes before and after the position: longer lines are
/// broken at fixed positions. Drawing a screenful of a hundred-megabyte text therefore costs no
/// more than of a small one.
public struct TextWindow: Sendable {
  /// The positions at which rows may be broken.
  public enum Breaking: Sendable {
    /// After a blank if the row has one, otherwise anywhere.
    case words
    /// Anywhere.
    case characters
  }

  /// The number of bytes after which a very long line is broken.
  static let chunk = 65_536

  private let text: String
  private let width: Int
  private let breaking: Breaking
  private let tabWidth: Int

  /// Creates a window onto a text with rows of a width, at least one cell.
  public init(_ text: String, width: Int, breaking: Breaking = .words, tabWidth: Int = 8) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    self.width = max(1, width)
    self.breaking = breaking
    self.tabWidth = tabWidth.clamped(to: 1...64)
  }

  /// The length of the text in bytes.
  public var count: Int { text.utf8.count }

  /// Returns up to `count` rows, starting with the one that contains an offset.
  ///
  /// A text that is empty or ends with a line end has an empty last row.
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

  /// Returns the start of the row that contains an offset.
  public func start(of offset: Int) -> Int { rowStart(of: offset).offset }

  /// Returns the start of the row that is a number of rows after an offset, or before it for a
  /// negative number.
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

  /// The start of a row, with information about its line.
  private struct RowStart {
    /// The offset.
    var offset: Int
    /// The maximum end of the row, in case its line is very long.
    var limit: Int
    /// Whether the row continues the line of the previous row.
    var isContinuation: Bool
  }

  /// Returns the start of the row that contains an offset, by wrapping its line from the start.
  private func rowStart(of offset: Int) -> RowStart {
    let offset = offset.clamped(to: 0...count)
    var start = lineStart(before: offset)
    while true {
      let row = row(at: start)
      guard offset >= row.row.next, let next = row.next else { return start }
      start = next
    }
  }

  /// Returns the start of the line, or of the piece of a very long line, that contains an offset.
  private func lineStart(before offset: Int) -> RowStart {
    let border = offset - offset % Self.chunk
    if let end = lastLineEnd(in: border..<offset) { return lineStart(at: end + 1) }
    guard border > 0 else { return lineStart(at: 0) }
    if let end = lastLineEnd(in: border - Self.chunk..<border) { return lineStart(at: end + 1) }
    let aligned = alignedToScalar(border)
    // The border may be inside a scalar that also contains the offset.
    guard aligned <= offset else { return lineStart(before: border - 1) }
    return lineStart(at: aligned, isContinuation: true)
  }

  /// Returns a row start at the start of a line, or of a piece of one.
  private func lineStart(at offset: Int, isContinuation: Bool = false) -> RowStart {
    RowStart(offset: offset, limit: forcedEnd(from: offset), isContinuation: isContinuation)
  }

  /// Returns the maximum end of a line, or of a piece of one, that starts at an offset.
  private func forcedEnd(from start: Int) -> Int {
    let border = (start / Self.chunk + 1) * Self.chunk
    guard border < count else { return count }
    // Do not break at the border if a line ends shortly before it, but at the next one.
    let isSpared = lastLineEnd(in: border - Self.chunk..<border) != nil
    let end = isSpared ? border + Self.chunk : border
    return end < count ? alignedToScalar(end) : count
  }

  /// Returns the offset of the last line feed in a range.
  private func lastLineEnd(in range: Range<Int>) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes[range].lastIndex(of: 10)
    } ?? nil
  }

  /// Returns an offset, or that of the next scalar if it is inside one.
  private func alignedToScalar(_ offset: Int) -> Int {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var offset = offset
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      return offset
    } ?? offset
  }

  /// Reads a row and finds the start of the next one, if any.
  private func row(at start: RowStart) -> (row: TextRow, next: RowStart?) {
    var index = text.utf8.index(text.startIndex, offsetBy: start.offset)
    let limit = text.utf8.index(text.startIndex, offsetBy: start.limit)
    var line = RowBuilder(
      start: start.offset, isContinuation: start.isContinuation, width: width, tabWidth: tabWidth,
      breaksAtBlanks: breaking == .words)
    while index < limit {
      let next = min(text.index(after: index), limit)
      // A border may split a character.
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

  /// Returns an index as a UTF-8 offset.
  private func offset(of index: String.Index) -> Int {
    text.utf8.distance(from: text.startIndex, to: index)
  }
}
