extension ValueComparison {
  /// The lines around what differs that are written too.
  private static let context = 3

  /// What differs, as programs for differences of texts write it; empty where nothing does.
  package var unifiedText: String {
    var text = ""
    // The numbers of the lines before each row, on both sides.
    var numbers: [(left: Int, right: Int)] = [(0, 0)]
    for row in rows {
      let last = numbers[numbers.count - 1]
      numbers.append(
        (last.left + (row.left == nil ? 0 : 1), last.right + (row.right == nil ? 0 : 1)))
    }
    for hunk in hunks {
      let (start, end) = (numbers[hunk.lowerBound], numbers[hunk.upperBound])
      text +=
        "@@ -\(Self.range(start.left, end.left)) +\(Self.range(start.right, end.right)) @@\n"
      var added = ""
      for row in rows[hunk] {
        if !row.isDifferent {
          text += added
          added = ""
          text += " \(row.left?.text ?? "")\n"
        } else {
          if let left = row.left { text += "-\(left.text)\n" }
          if let right = row.right { added += "+\(right.text)\n" }
        }
      }
      text += added
    }
    return text.isEmpty ? "" : "--- \(names.left)\n+++ \(names.right)\n" + text
  }

  /// The rows that differ, with those around them.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (place, row) in rows.enumerated() where row.isDifferent {
      let start = max(0, place - Self.context)
      let end = min(rows.count, place + Self.context + 1)
      if let last = hunks.last, start <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<end
      } else {
        hunks.append(start..<end)
      }
    }
    return hunks
  }

  /// A first line and a number of lines; of none, the line before.
  private static func range(_ start: Int, _ end: Int) -> String {
    "\(end > start ? start + 1 : start),\(end - start)"
  }
}
