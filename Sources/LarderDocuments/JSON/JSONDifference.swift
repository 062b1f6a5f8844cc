import LarderModel

extension JSONRevision {
  /// Replaces a value with another one, preserving the bytes of the parts that are equal.
  ///
  /// - Parameters:
  ///   - range: The range of the value.
  ///   - new: The new value.
  ///   - neighbor: The item that holds the value; nil at the root.
  /// - Throws: ``DocumentError`` if JSON cannot represent the new value or the old one cannot be
  ///   read.
  mutating func replace(
    _ range: Range<Int>, with new: StoredValue, at neighbor: JSONNeighbor?
  ) throws(DocumentError) {
    try change(range, from: try document.value(in: range), to: new, at: neighbor)
  }

  private mutating func change(
    _ range: Range<Int>, from old: StoredValue, to new: StoredValue,
    at neighbor: JSONNeighbor?
  ) throws(DocumentError) {
    if old == new { return }
    switch (old, new) {
    case (.dictionary(let old), .dictionary(let new)):
      let items = try document.items(at: range.lowerBound)
      let match = Self.matches(of: new.map(\.step), in: old.map(\.step))
      let places = zip(match, Self.longestIncreasing(match)).map { place, isInPlace in
        place.map { Source.old($0, isInPlace: isInPlace) }
      }
      try change(items, from: old.map(\.value), to: new, places)
    case (.array(let old), .array(let new)):
      let items = try document.items(at: range.lowerBound)
      let places = Self.places(of: new, in: old)
      try change(items, from: old, to: new.map { StoredValue.Field("", $0) }, places)
    default: edits.replace(range, with: try written(new, at: neighbor))
    }
  }

  /// The source of an item's bytes: an old item, either in place or moved.
  private enum Source {
    case old(Int, isInPlace: Bool)
  }

  private mutating func change(
    _ items: JSONItems, from old: [StoredValue], to new: [StoredValue.Field], _ places: [Source?]
  ) throws(DocumentError) {
    var removed = Set(0..<items.count)
    var inserted: [Int: [JSONInsertion]] = [:]
    var last = -1
    for (field, source) in zip(new, places) {
      guard case .old(let index, let isInPlace) = source else {
        inserted[last, default: []].append(.fresh(field))
        continue
      }
      let neighbor = JSONNeighbor(items: items, index: index)
      let range = neighbor.item.value
      if isInPlace {
        try change(range, from: old[index], to: field.value, at: neighbor)
        removed.remove(index)
        last = index
      } else {
        var inner = self
        inner.edits = ByteEdits()
        try inner.change(range, from: old[index], to: field.value, at: neighbor)
        let bytes = inner.edits.applied(to: document.bytes, in: neighbor.item.whole)
        inserted[last, default: []].append(.moved(bytes))
      }
    }
    guard !removed.isEmpty || !inserted.isEmpty else { return }
    try layOut(items, removed: removed, inserted: inserted)
  }

  /// Returns, for each new element, the old element that it is equal to or replaces.
  private static func places(of new: [StoredValue], in old: [StoredValue]) -> [Source?] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    let middle = matches(
      of: Array(new[start..<(new.count - end)]), in: Array(old[start..<(old.count - end)]))
    let stays = longestIncreasing(middle)
    var places: [Source?] = (0..<start).map { .old($0, isInPlace: true) }
    let used = Set(middle.compactMap(\.self))
    // Unmatched new elements replace unmatched old ones between the elements that stay in place.
    var bounds = [Int](repeating: old.count - end - start, count: middle.count + 1)
    for number in middle.indices.reversed() {
      bounds[number] = stays[number] ? middle[number] ?? 0 : bounds[number + 1]
    }
    var next = 0
    for (number, match) in middle.enumerated() {
      if let match {
        if stays[number] { next = match + 1 }
        places.append(.old(match + start, isInPlace: stays[number]))
        continue
      }
      let bound = bounds[number]
      while next < bound, used.contains(next) { next += 1 }
      places.append(next < bound ? .old(next + start, isInPlace: true) : nil)
      if next < bound { next += 1 }
    }
    places += (0..<end).map { .old(old.count - end + $0, isInPlace: true) }
    return places
  }

  /// Returns, for each new item, the index of an equal old one; each is used once.
  private static func matches<Item: Hashable>(of new: [Item], in old: [Item]) -> [Int?] {
    var free: [Item: [Int]] = [:]
    for (place, item) in old.enumerated().reversed() { free[item, default: []].append(place) }
    return new.map { free[$0]?.popLast() }
  }

  /// Marks the members of a longest increasing subsequence.
  private static func longestIncreasing(_ places: [Int?]) -> [Bool] {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (number, place) in places.enumerated() {
      guard let place else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = low + (high - low) / 2
        if let end = places[ends[middle]], end < place { low = middle + 1 } else { high = middle }
      }
      previous[number] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = number } else { ends.append(number) }
    }
    var stays = [Bool](repeating: false, count: places.count)
    var number = ends.last
    while let current = number {
      stays[current] = true
      number = previous[current]
    }
    return stays
  }
}

extension StoredValue.Field {
  /// The name as a step, which compares names by their bytes.
  fileprivate var step: DocumentStep { .name(name) }
}
