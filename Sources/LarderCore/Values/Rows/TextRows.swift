/// A text of any length in rows, which are found only as far as somebody looks.
package struct TextRows: Sendable, Equatable {
  /// The text, in UTF-8 as far as it is that.
  let bytes: [UInt8]
  private let breaker: Int
  /// Where the rows begin that are known.
  private var starts = [0]
  /// Whether the last row is known.
  private(set) var isComplete = false
  /// What is said beside a text of one row.
  private let note: String?

  init(_ bytes: [UInt8], width: Int, note: String? = nil) {
    self.bytes = bytes
    breaker = width
    self.note = note
  }

  /// How many rows are known.
  var count: Int { starts.count }

  /// Finds the rows up to a row, and a few thousand more.
  mutating func extend(to row: Int) {
    guard !isComplete, row >= starts.count else { return }
    find { $0.count <= row.saturatingAdding(4_096) }
  }

  /// The row that shows a byte.
  mutating func row(of offset: Int) -> Int {
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
  func offset(of row: Int) -> Int {
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
  func line(at row: Int, marking search: ValueSearch?) -> ValueLine {
    guard starts.indices.contains(row) else { return ValueLine([]) }
    let start = starts[row]
    var end = starts.indices.contains(row + 1) ? starts[row + 1] : bytes.count
    if end > start, starts.indices.contains(row + 1), bytes[end - 1] == UInt8(ascii: "\n") {
      end -= 1
    }
    if end > start, bytes[end - 1] == UInt8(ascii: "\r"), end == bytes.count || bytes[end] == 10 {
      end -= 1
    }
    var line = ValueLine([])
    var place = start
    for match in search?.matches(in: bytes, touching: start..<end) ?? [] {
      let match = match.clamped(to: place..<end)
      guard !match.isEmpty else { continue }
      if place < match.lowerBound {
        line.parts.append(.init(String(lossy: bytes[place..<match.lowerBound]), .text))
      }
      line.parts.append(.init(String(lossy: bytes[match]), .text, mark: .match))
      place = match.upperBound
    }
    if place < end || line.parts.isEmpty {
      line.parts.append(.init(String(lossy: bytes[place..<end]), .text))
    }
    if row == 0, let note { line.parts.append(.init("  " + note, .note)) }
    return line
  }
}

extension Int {
  /// The sum, or the greatest number where there is none.
  func saturatingAdding(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
