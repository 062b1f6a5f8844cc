import LarderModel

/// An item to insert into a list of a file.
enum JSONInsertion {
  /// A new value; the name is used in objects.
  case fresh(StoredValue.Field)
  /// The bytes of an item from another position in the list.
  case moved([UInt8])
}

extension JSONRevision {
  /// Removes and inserts items of a list, adjusting the commas and lines between them.
  ///
  /// Comments stay in place, including those beside removed items.
  ///
  /// - Parameters:
  ///   - items: The list.
  ///   - removed: The indices of the items to remove.
  ///   - inserted: The items to insert, by the index of the remaining item before them; -1 for the
  ///     start of the list.
  /// - Throws: ``DocumentError`` if JSON cannot represent an inserted value.
  mutating func layOut(
    _ items: JSONItems, removed: Set<Int>, inserted: [Int: [JSONInsertion]]
  ) throws(DocumentError) {
    guard items.count > 0 else { return try fill(items, with: inserted[-1] ?? []) }
    var removed = removed
    var inserted = inserted
    let end = items.count - 1
    if removed.count == items.count {
      guard var coming = inserted[-1], !coming.isEmpty else { return empty(items) }
      // The first insertion replaces the last item, reusing the commas and lines around it.
      let first = try written(coming.removeFirst(), at: JSONNeighbor(items: items, index: end))
      edits.replace(items[end].whole, with: first)
      removed.remove(end)
      inserted = coming.isEmpty ? [:] : [end: coming]
    }
    guard let last = (0...end).last(where: { !removed.contains($0) }) else { return }
    let endsWithComma = document.comma(behind: end, of: items) != nil
    if last < end, !endsWithComma, inserted[last] == nil,
      let comma = document.comma(behind: last, of: items)
    {
      edits.remove(comma..<(comma + 1))
    }
    for (place, coming) in inserted where place >= 0 {
      try insert(coming, behind: place, of: items, isLast: place == last, endsWithComma)
    }
    if let coming = inserted[-1], let first = (0...end).first(where: { !removed.contains($0) }) {
      let neighbor = JSONNeighbor(items: items, index: first)
      for insertion in coming {
        let bytes = try written(insertion, at: neighbor) + [UInt8(ascii: ",")]
        edits.insert(bytes + lead(neighbor), at: neighbor.item.whole.lowerBound)
      }
    }
    remove(removed, from: items)
  }

  private func written(
    _ insertion: JSONInsertion, at neighbor: JSONNeighbor
  ) throws(DocumentError) -> [UInt8] {
    switch insertion {
    case .moved(let bytes): return bytes
    case .fresh(let field):
      return try written(
        name: neighbor.items.isObject ? field.name : nil, field.value, at: neighbor)
    }
  }

  /// Returns the whitespace between an item and the comma before it, for a new item beside it.
  private func lead(_ neighbor: JSONNeighbor) -> [UInt8] {
    let start = neighbor.item.whole.lowerBound
    if let indent = document.indent(ofLineStartingAt: start) {
      return document.newline(at: start - indent.count - 1) + indent
    }
    if let gap = document.gap(before: neighbor.index, of: neighbor.items) { return Array(gap) }
    if neighbor.index == 0, neighbor.items.count > 1 {
      return lead(JSONNeighbor(items: neighbor.items, index: 1))
    }
    return Array(style.comma.dropFirst())
  }

  private mutating func insert(
    _ coming: [JSONInsertion], behind index: Int, of items: JSONItems, isLast: Bool,
    _ endsWithComma: Bool
  ) throws(DocumentError) {
    let neighbor = JSONNeighbor(items: items, index: index)
    let lead = lead(neighbor)
    let comma = document.comma(behind: index, of: items)
    var place = comma.map { $0 + 1 } ?? neighbor.item.value.upperBound
    if comma == nil { edits.insert([UInt8(ascii: ",")], at: place) }
    if lead.contains(where: \.isLineEnd) { place = lineEnd(after: place) ?? place }
    for (number, insertion) in coming.enumerated() {
      let isEnd = isLast && number == coming.count - 1
      let bytes = try lead + written(insertion, at: neighbor)
      edits.insert(isEnd && !endsWithComma ? bytes : bytes + [UInt8(ascii: ",")], at: place)
    }
  }

  /// Returns the end of the line if only blanks and comments precede it.
  private func lineEnd(after place: Int) -> Int? {
    let bytes = document.bytes
    var place = place
    while place < bytes.count {
      if bytes[place].isLineEnd { return place }
      if bytes[place].isBlank {
        place += 1
        continue
      }
      guard bytes[place] == UInt8(ascii: "/") else { return nil }
      var scanner = JSONScanner(bytes, at: place, isLenient: true)
      guard (try? scanner.skipComment()) == true,
        !bytes[place..<scanner.place].contains(where: \.isLineEnd)
      else { return nil }
      place = scanner.place
    }
    return nil
  }

  /// Inserts the first items into an empty list.
  private mutating func fill(
    _ items: JSONItems, with coming: [JSONInsertion]
  ) throws(DocumentError) {
    let inside = (items.range.lowerBound + 1)..<(items.range.upperBound - 1)
    let kept = document.bytes[inside]
    let hasComment = kept.contains(UInt8(ascii: "/"))
    var style = style
    if !startsItsLine(items) { style.isMultiline = false }
    if hasComment || kept.contains(where: \.isLineEnd) { style.isMultiline = true }
    let indent = document.indent(ofLineHolding: items.range.lowerBound)
    let inner = indent + style.unit
    var text: [UInt8] = []
    for (place, insertion) in coming.enumerated() {
      if place > 0 { text += style.isMultiline ? [UInt8(ascii: ",")] : style.comma }
      if style.isMultiline { text += style.newline + inner }
      guard case .fresh(let field) = insertion else { continue }
      var writer = JSONWriter(style: style, allowsNonFinite: document.hasNonFinite)
      if items.isObject { writer.write(name: field.name) }
      try writer.write(field.value, indent: inner)
      text += writer.bytes
    }
    if style.isMultiline { text += style.newline + indent }
    // Whitespace after a comment is replaced, the comment never.
    let end = kept.lastIndex { !$0.isBlank && !$0.isLineEnd }.map { $0 + 1 } ?? inside.lowerBound
    edits.replace(end..<inside.upperBound, with: text)
  }

  /// Whether a list starts its line, apart from its name.
  private func startsItsLine(_ items: JSONItems) -> Bool {
    let place = items.range.lowerBound
    if place == document.items.range.lowerBound { return true }
    let indent = document.indent(ofLineHolding: place)
    if indent.endIndex == place { return true }
    var scanner = JSONScanner(document.bytes, at: indent.endIndex, isLenient: true)
    guard scanner.next == UInt8(ascii: "\""), (try? scanner.skipText()) != nil,
      (try? scanner.skipColon()) != nil
    else { return false }
    return scanner.place == place
  }
}
