/// A text of any length in rows, which are found only as far as somebody looks.
package struct TextRows: Sendable, Equatable {
  /// The text, in UTF-8 as far as it is that.
  package let bytes: [UInt8]
  private let breaker: Int
  /// Where the rows begin that are known.
  private var starts = [0]
  /// Whether the last row is known.
  package private(set) var isComplete = false
  /// What is said beside the end of the text.
  package let note: String?

  package init(_ bytes: [UInt8], width: Int, note: String? = nil) {
    self.bytes = bytes
    breaker = width
    self.note = note
  }

  /// How many rows are known.
  package var count: Int { starts.count }

  /// Finds the rows up to a row, and a few thousand more.
  package mutating func extend(to row: Int) {
    guard !isComplete, row >= starts.count else { return }
    find { $0.count <= row.saturatingAdding(4_096) }
  }

  /// The row that shows a byte.
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

  /// The place of the first byte of a row.
  package func offset(of row: Int) -> Int {
    starts.indices.contains(row) ? starts[row] : bytes.count
  }

  /// Finds rows while a condition holds for those that are known.
  private mutating func find(while condition: ([Int]) -> Bool) {
    let breaker = RowBreaker(width: breaker)
    // The rows are moved out, so that they are not copied when they grow.
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

  /// A row as it is shown; what a search finds in it is marked, also where it goes on in the next.
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
    // Beside the end of the text, where there is room more often than beside a row that is full.
    if isComplete, row == starts.count - 1, let note {
      line.parts.append(.init("  " + note, .note))
    }
    return line
  }

  /// Some bytes, in a part for each address and for what is between these.
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
  /// The sum, or the maximum number where there is none.
  package func saturatingAdding(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
