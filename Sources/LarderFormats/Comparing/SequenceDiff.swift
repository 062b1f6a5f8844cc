/// A diff of two sequences: finds the elements that both share, in order.
package enum SequenceDiff {
  /// The maximum combined length for an exact longest common subsequence, whose time and memory are
  /// quadratic.
  private static let maximumExact = 1_000

  /// Returns the indices of a common subsequence.
  ///
  /// For long sequences with many differences, elements that occur once on each side serve as
  /// anchors, and the sections between them are compared separately. A long section without anchors
  /// is treated as having nothing in common.
  ///
  /// - Parameters:
  ///   - left: The first sequence.
  ///   - right: The second sequence.
  ///   - isCancelled: Whether to stop early and return the matches found so far.
  /// - Returns: Pairs of a left and a right index, in ascending order.
  package static func of<Element: Hashable>(
    _ left: [Element], _ right: [Element], _ isCancelled: () -> Bool = { false }
  ) -> [(Int, Int)] {
    // Elements are mapped to integers because comparing long lines with equal prefixes is slow.
    var known: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      let number = known[element, default: known.count]
      known[element] = number
      return number
    }
    let (before, after) = (left.map(number), right.map(number))
    var common: [(Int, Int)] = []
    var parts = [(before.indices, after.indices)]
    // A pass over a section usually matches much of it; the budget bounds adversarial input.
    var budget = 64 * (before.count + after.count)
    while let (left, right) = parts.popLast(), !isCancelled() {
      var (left, right) = (left, right)
      while let first = left.first, let other = right.first, before[first] == after[other] {
        common.append((first, other))
        (left, right) = (left.dropFirst(), right.dropFirst())
      }
      while let last = left.last, let other = right.last, before[last] == after[other] {
        common.append((last, other))
        (left, right) = (left.dropLast(), right.dropLast())
      }
      guard !left.isEmpty, !right.isEmpty else { continue }
      if left.count + right.count <= maximumExact {
        common += longest(before[left], after[right])
      } else if let near = nearlyAll(before[left], after[right]) {
        common += near
      } else {
        budget -= left.count + right.count
        guard budget > 0 else { continue }
        var (start, other) = (left.lowerBound, right.lowerBound)
        let anchors = anchors(before[left], after[right])
        guard !anchors.isEmpty else { continue }
        for (place, partner) in anchors {
          parts.append((start..<place, other..<partner))
          (start, other) = (place + 1, partner + 1)
        }
        common += anchors
        parts.append((start..<left.upperBound, other..<right.upperBound))
      }
    }
    return common.sorted { $0.0 < $1.0 }
  }

  /// Returns the longest common subsequence.
  private static func longest(
    _ left: ArraySlice<Int>, _ right: ArraySlice<Int>
  ) -> [(Int, Int)] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in right.difference(from: left) {
      switch change {
      case .remove(let offset, _, _): removed.insert(left.startIndex + offset)
      case .insert(let offset, _, _): inserted.insert(right.startIndex + offset)
      }
    }
    return Array(
      zip(
        left.indices.filter { !removed.contains($0) },
        right.indices.filter { !inserted.contains($0) }))
  }

  /// The maximum number of differences that `nearlyAll` looks for in long sequences.
  private static let maximumDistance = 400

  /// Returns the longest common subsequence of sequences with few differences (Myers 1986), or nil
  /// if they have more than `maximumDistance`.
  private static func nearlyAll(
    _ left: ArraySlice<Int>, _ right: ArraySlice<Int>
  ) -> [(Int, Int)]? {
    let (left, right) = ((Array(left), left.startIndex), (Array(right), right.startIndex))
    let (width, height) = (left.0.count, right.0.count)
    // The furthest x on each diagonal after each number of differences; diagonal 0 is in the
    // middle.
    var reached = [0, 0, 0]
    var history: [[Int]] = []
    for distance in 0...min(maximumDistance, width + height) {
      history.append(reached)
      var next = [Int](repeating: 0, count: 2 * distance + 5)
      let (old, new) = (reached.count / 2, next.count / 2)
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        let isDown =
          diagonal == -distance
          || diagonal != distance && reached[old + diagonal - 1] < reached[old + diagonal + 1]
        var x = isDown ? reached[old + diagonal + 1] : reached[old + diagonal - 1] + 1
        while x < width, x - diagonal < height, left.0[x] == right.0[x - diagonal] { x += 1 }
        next[new + diagonal] = x
        if x >= width, x - diagonal >= height {
          return walk(back: history, from: (width, height)).map { ($0 + left.1, $1 + right.1) }
        }
      }
      reached = next
    }
    return nil
  }

  /// Follows the shortest edit path from its end to its start and returns the matches on it.
  private static func walk(back history: [[Int]], from end: (Int, Int)) -> [(Int, Int)] {
    var (x, y) = end
    var common: [(Int, Int)] = []
    for (distance, reached) in history.enumerated().reversed() {
      let (middle, diagonal) = (reached.count / 2, x - y)
      let isDown =
        diagonal == -distance
        || diagonal != distance && reached[middle + diagonal - 1] < reached[middle + diagonal + 1]
      let before = isDown ? diagonal + 1 : diagonal - 1
      let start = distance == 0 ? 0 : reached[middle + before]
      // The edit itself precedes a diagonal run of matches.
      let first = distance == 0 || isDown ? start : start + 1
      while x > first {
        (x, y) = (x - 1, y - 1)
        common.append((x, y))
      }
      (x, y) = (start, start - before)
    }
    return common
  }

  /// Returns the longest sequence of values that occur once on each side, in order on both sides.
  private static func anchors(
    _ left: ArraySlice<Int>, _ right: ArraySlice<Int>
  ) -> [(Int, Int)] {
    let (once, other) = (single(left), single(right))
    let pairs = once.compactMap { number, place in other[number].map { (place, $0) } }
      .sorted { $0.0 < $1.0 }
    // Patience sorting: the last pair of the best run of each length, and each pair's predecessor.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [(Int, Int)] = []
    var next = ends.last
    while let index = next {
      run.append(pairs[index])
      next = previous[index]
    }
    return run.reversed()
  }

  /// Returns the indices of the values that occur exactly once in the slice.
  private static func single(_ numbers: ArraySlice<Int>) -> [Int: Int] {
    var places: [Int: Int?] = [:]
    for (place, number) in zip(numbers.indices, numbers) {
      places.updateValue(places.keys.contains(number) ? nil : place, forKey: number)
    }
    return places.compactMapValues { $0 }
  }
}
