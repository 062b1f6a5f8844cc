/// Replacements of stretches of a text, made all at once.
struct ByteEdits {
  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private var edits: [Edit] = []

  /// Whether nothing is replaced.
  var isEmpty: Bool { edits.isEmpty }

  /// Puts other bytes in the place of a stretch.
  mutating func replace(_ range: Range<Int>, with bytes: some Sequence<UInt8>) {
    edits.append(Edit(range: range, bytes: Array(bytes)))
  }

  /// Leaves a stretch out; it may overlap with others that are left out.
  mutating func remove(_ range: Range<Int>) {
    replace(range, with: [])
  }

  /// Puts bytes before the one at a place, behind what was put there earlier.
  mutating func insert(_ bytes: some Sequence<UInt8>, at place: Int) {
    replace(place..<place, with: bytes)
  }

  /// A part of the text with the replacements inside it.
  func applied(to text: [UInt8], in part: Range<Int>) -> [UInt8] {
    // An insertion comes before what begins at its place; equal ones stay in order.
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
