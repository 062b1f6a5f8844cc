extension Range<Int> {
  /// Returns the first index that satisfies a condition which all later ones satisfy, too; the end
  /// if there is none.
  func bisect(_ isBehind: (Int) throws -> Bool) rethrows -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
