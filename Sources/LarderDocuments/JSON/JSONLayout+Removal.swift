import LarderModel

extension JSONRevision {
  /// Removes all items of a list, and the whitespace around them if there are no comments.
  mutating func empty(_ items: JSONItems) {
    let inside = (items.range.lowerBound + 1)..<(items.range.upperBound - 1)
    let end = items.count - 1
    let before = document.bytes[inside.lowerBound..<items[0].whole.lowerBound]
    let after = document.bytes[items[end].value.upperBound..<inside.upperBound]
    guard !hasComment(items, 0...end), !hasComment(before), !hasComment(after) else {
      return remove(Set(0...end), from: items)
    }
    edits.remove(inside)
  }

  /// Removes items of a list with the commas after them.
  ///
  /// Next to remaining items and comments, only whitespace is removed: the line if the item was
  /// alone on it, otherwise the blanks beside it.
  mutating func remove(_ removed: Set<Int>, from items: JSONItems) {
    let ordered = removed.sorted()
    var start = ordered.startIndex
    while start < ordered.endIndex {
      var end = start
      while end + 1 < ordered.endIndex, ordered[end + 1] == ordered[end] + 1 { end += 1 }
      remove(run: ordered[start]...ordered[end], from: items)
      start = end + 1
    }
  }

  private mutating func remove(run: ClosedRange<Int>, from items: JSONItems) {
    let isEnd = run.upperBound == items.count - 1
    if !hasComment(items, run) {
      let comma = document.comma(behind: run.upperBound, of: items)
      let end = comma.map { $0 + 1 } ?? items[run.upperBound].value.upperBound
      removeLines(items[run.lowerBound].whole.lowerBound..<end, isEnd: isEnd)
      return
    }
    for index in run {
      let item = items[index]
      guard let comma = document.comma(behind: index, of: items) else {
        removeLines(item.whole, isEnd: true)
        continue
      }
      if document.bytes[item.value.upperBound..<comma].allSatisfy(\.isBlank) {
        removeLines(item.whole.lowerBound..<(comma + 1), isEnd: false)
      } else {
        edits.remove(item.whole)
        edits.remove(comma..<(comma + 1))
      }
    }
  }

  /// Removes a range, with its line if it is alone on it, otherwise with the blanks on one side.
  private mutating func removeLines(_ range: Range<Int>, isEnd: Bool) {
    let bytes = document.bytes
    var before = range.lowerBound
    while before > 0, bytes[before - 1].isBlank { before -= 1 }
    var after = range.upperBound
    while after < bytes.count, bytes[after].isBlank { after += 1 }
    let startsLine = before > 0 && bytes[before - 1].isLineEnd
    let endsLine = after < bytes.count && bytes[after].isLineEnd
    if startsLine, endsLine {
      edits.remove(before..<(after + document.newline(at: after).count))
    } else if !startsLine, isEnd || endsLine {
      edits.remove(before..<range.upperBound)
    } else {
      edits.remove(range.lowerBound..<after)
    }
  }

  /// Whether there are comments between the items of a run, or before the comma after it.
  private func hasComment(_ items: JSONItems, _ run: ClosedRange<Int>) -> Bool {
    for index in run {
      let item = items[index]
      let end: Int
      if index < run.upperBound {
        end = items[index + 1].whole.lowerBound
      } else {
        end = document.comma(behind: index, of: items) ?? item.value.upperBound
      }
      if hasComment(document.bytes[item.value.upperBound..<end]) { return true }
    }
    return false
  }

  /// Whether the text outside names and values contains a comment.
  private func hasComment(_ gap: ArraySlice<UInt8>) -> Bool {
    gap.contains(UInt8(ascii: "/"))
  }
}
