import LarderModel

/// The members of a dictionary or the elements of an array, with lookup by step.
///
/// Stores one step and one integer per member. Names are found by binary search, which avoids a
/// hash table.
struct MemberList: Sendable {
  /// The steps in the order of the file.
  let steps: [DocumentStep]
  /// The positions of the steps, sorted by the bytes of their names and then by position.
  private let order: [Int]

  /// Creates the list of a dictionary from its names, which may repeat.
  init(names: [String]) {
    var steps = names.map { DocumentStep.name($0) }
    let order = names.indices.sorted { left, right in
      switch Self.compare(names[left], names[right]) {
      case .some(let precedes): precedes
      case .none: left < right
      }
    }
    var repetition = 0
    for (index, next) in zip(order, order.dropFirst()) {
      repetition = names[index].hasBytes(of: names[next]) ? repetition + 1 : 0
      if repetition > 0 { steps[next] = .name(names[next], repetition: repetition) }
    }
    self.steps = steps
    self.order = order
  }

  /// Creates the list of an array.
  init(count: Int) {
    steps = (0..<count).map(DocumentStep.index)
    order = []
  }

  /// Returns the position of a step, or nil if there is no such member.
  func position(of step: DocumentStep) -> Int? {
    switch step {
    case .index(let index):
      return order.isEmpty && steps.indices.contains(index) ? index : nil
    case .name(let name, let repetition):
      var low = 0
      var high = order.count
      while low < high {
        let middle = (low + high) / 2
        guard case .name(let other, let otherRepetition) = steps[order[middle]] else { return nil }
        if Self.compare(other, name) ?? (otherRepetition < repetition) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      guard low < order.count, steps[order[low]] == step else { return nil }
      return order[low]
    }
  }

  /// Returns whether the bytes of one name precede those of another; nil if they are equal.
  private static func compare(_ left: String, _ right: String) -> Bool? {
    if left.hasBytes(of: right) { return nil }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
