/// A text of any length, broken into rows on demand.
package struct TextRows: Sendable, Equatable {
  /// The text, which need not be valid UTF-8.
  package let bytes: [UInt8]
  private let breaker: Int
  /// The start offsets of the known rows.
  private var starts = [0]
  /// Whether the whole text has been broken into rows.
  package private(set) var isComplete = false
  /// The note after the end of the text.
  package let note: String?

  package init(_ bytes: [UInt8], width: Int, note: String? = nil) {
    self.bytes = bytes
    breaker = width
    self.note = note
  }

  /// The number of known rows.
  package var count: Int { starts.count }

  /// Breaks the text up to the given row and a few thousand rows beyond.
  package mutating func extend(to row: Int) {
    guard !isComplete, row >= starts.count else { return }
    find { $0.count <= row.saturatingAdding(4_096) }
  }

  /// Returns the index of the row that contains a byte.
  package mutating func row(of offset: Int) -> Int {
    if !isComplete { find { ($0.last ?? 0) <= offset } }
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Returns the byte offset at which a row starts.
  package func offset(of row: Int) -> Int {
    starts.indices.contains(row) ? starts[row] : bytes.count
  }

  /// Breaks further rows while a condition holds for the known ones.
  private mutating func find(while condition: ([Int]) -> Bool) {
    let breaker = RowBreaker(width: breaker)
    // The array is moved out so that it is not copied when it grows.
    var found = starts
    starts = []
    let isLast = bytes.withUnsafeBufferPointer { bytes in
      while condition(found) {
        guard let next = breaker.next(after: found.last ?? 0, in: bytes) else { return true }
        found.append(next)
      }
      return false
    }
    starts = found
    isComplete = isLast
  }

  /// Returns a row with search matches marked, including those that continue on an adjacent row.
  package func line(at row: Int, marking search: ValueSearch?) -> ValueLine {
    guard starts.indices.contains(row) else { return ValueLine([]) }
    let start = starts[row]
    var end = starts.indices.contains(row + 1) ? starts[row + 1] : bytes.count
    if end > start, starts.indices.contains(row + 1), bytes[end - 1] == UInt8(ascii: "\n") {
      end -= 1
    }
    if end > start, bytes[end - 1] == UInt8(ascii: "\r"), end == bytes.count || bytes[end] == 10 {
      end -= 1
    }
    let links = bytes.withUnsafeBufferPointer {
      WebAddress.places(in: $0, touching: start..<end)
    }
    var line = ValueLine([])
    var place = start
    for match in search?.matches(in: bytes, touching: start..<end) ?? [] {
      let match = match.clamped(to: place..<end)
      guard !match.isEmpty else { continue }
      line.parts += parts(place..<match.lowerBound, of: links)
      line.parts += parts(match, of: links, mark: .match)
      place = match.upperBound
    }
    if place < end || line.parts.isEmpty { line.parts += parts(place..<end, of: links) }
    if line.parts.isEmpty { line.parts = [.init("", .text)] }
    // The last row is more likely to have room for the note than a full one.
    if isComplete, row == starts.count - 1, let note {
      line.parts.append(.init("  " + note, .note))
    }
    return line
  }

  /// Returns a range of bytes as parts, split at the edges of web addresses.
  private func parts(
    _ range: Range<Int>, of links: [WebAddress.Place], mark: ValueLine.Mark? = nil
  ) -> [ValueLine.Part] {
    var parts: [ValueLine.Part] = []
    var place = range.lowerBound
    for link in links {
      let shown = link.range.clamped(to: place..<range.upperBound)
      guard !shown.isEmpty else { continue }
      if place < shown.lowerBound {
        parts.append(.init(String(lossy: bytes[place..<shown.lowerBound]), .text, mark: mark))
      }
      parts.append(.init(String(lossy: bytes[shown]), .text, mark: mark, link: link.text))
      place = shown.upperBound
    }
    if place < range.upperBound {
      parts.append(.init(String(lossy: bytes[place..<range.upperBound]), .text, mark: mark))
    }
    return parts
  }
}

extension Int {
  /// Returns the sum, clamped to the range of `Int` on overflow.
  package func saturatingAdding(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
