extension KeySelection {
  /// Returns the selected keys.
  ///
  /// - Parameter keys: All keys, in ascending order of their UTF-8, without duplicates.
  /// - Returns: The selected keys, in the requested order.
  @usableFromInline
  package func keys(of keys: [String]) -> [String] {
    let indices = indices(of: keys)
    let count = count(of: indices)
    return isDescending
      ? keys[(indices.upperBound - count)..<indices.upperBound].reversed()
      : Array(keys[indices.lowerBound..<(indices.lowerBound + count)])
  }

  /// Returns the number of selected keys.
  ///
  /// - Parameter keys: All keys, in ascending order of their UTF-8, without duplicates.
  /// - Returns: The number.
  package func count(of keys: [String]) -> Int {
    count(of: indices(of: keys))
  }

  private func count(of indices: Range<Int>) -> Int {
    min(max(limit ?? indices.count, 0), indices.count)
  }

  /// Returns the indices of the selected keys, before applying the limit.
  private func indices(of keys: [String]) -> Range<Int> {
    var lower = range.lowerBound.map { keys.place(of: $0) } ?? 0
    var upper = range.upperBound.map { keys.place(of: $0) } ?? keys.count
    if let after {
      let place = keys.place(of: after)
      if isDescending {
        upper = min(upper, place)
      } else {
        let isThere = place < keys.count && !after.isOrderedBefore(keys[place])
        lower = max(lower, isThere ? place + 1 : place)
      }
    }
    return lower..<max(lower, upper)
  }
}

extension RandomAccessCollection<String> where Index == Int {
  /// Returns the index of a key in this sorted collection, or the index to insert it at.
  func place(of key: String) -> Int {
    var lower = startIndex
    var upper = endIndex
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if self[middle].isOrderedBefore(key) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
