/// A set of replacements in a text, applied together.
struct ByteEdits {
  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private var edits: [Edit] = []

  /// Whether there are no replacements.
  var isEmpty: Bool { edits.isEmpty }

  /// Replaces a range with other bytes.
  mutating func replace(_ range: Range<Int>, with bytes: some Sequence<UInt8>) {
    edits.append(Edit(range: range, bytes: Array(bytes)))
  }

  /// Removes a range, which may overlap with other removed ranges.
  mutating func remove(_ range: Range<Int>) {
    replace(range, with: [])
  }

  /// Inserts bytes at an offset, after earlier insertions there.
  mutating func insert(_ bytes: some Sequence<UInt8>, at place: Int) {
    replace(place..<place, with: bytes)
  }

  /// Returns a part of the text with the replacements in it applied.
  func applied(to text: [UInt8], in part: Range<Int>) -> [UInt8] {
    // Insertions precede replacements that start at the same offset; equal ones stay in order.
    let ordered = edits.enumerated().sorted { left, right in
      (left.element.range.lowerBound, left.element.range.upperBound, left.offset)
        < (right.element.range.lowerBound, right.element.range.upperBound, right.offset)
    }
    var result: [UInt8] = []
    result.reserveCapacity(part.count + edits.reduce(0) { $0 + $1.bytes.count })
    var place = part.lowerBound
    for (_, edit) in ordered {
      if place < edit.range.lowerBound {
        result += text[place..<edit.range.lowerBound]
      }
      result += edit.bytes
      place = max(place, edit.range.upperBound)
    }
    if place < part.upperBound { result += text[place..<part.upperBound] }
    return result
  }
}
