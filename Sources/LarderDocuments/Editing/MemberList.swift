import LarderModel

/// The members of a dictionary or the elements of an array, found by step.
///
/// Takes a step and a number for each; a name is found by bisection, so that no table of hashes
/// has to be kept beside them.
struct MemberList: Sendable {
  /// The steps in the order of the file.
  let steps: [DocumentStep]
  /// The positions of the steps by the bytes of their names, equal names by position.
  private let order: [Int]

  /// Takes in the names of a dictionary, which may repeat.
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

  /// Takes in the elements of an array.
  init(count: Int) {
    steps = (0..<count).map(DocumentStep.index)
    order = []
  }

  /// The position of a step; nil where there is no such member.
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

  /// Whether the bytes of one name precede those of another; nil where they are the same.
  private static func compare(_ left: String, _ right: String) -> Bool? {
    if left.hasBytes(of: right) { return nil }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
