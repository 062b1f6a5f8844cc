/// A baseline for the current speed of the machine: the minimum that a read costs.
///
/// The upstream library was measured where a dictionary look-up and an allocation took 65 ns. The
/// same machine may be a third slower an hour later, so a ratio is meaningful only alongside the
/// baseline measured in the same second.
enum Baseline {
  /// The time of a look-up and an allocation when the upstream library was measured, in
  /// nanoseconds.
  static let upstream = 65.0

  /// Looks up a string among 1,024 and allocates an object for the result.
  static let operation: Operation = {
    let keys = StoreOperations.keys
    let numbers = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    return Operation("dictionary look-up and allocation") { count in
      var sum = 0
      for index in 0..<count { sum &+= box(numbers[keys[index & 1_023]] ?? -1).number }
      keep(sum)
    }
  }()

  private final class Box {
    let number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @inline(never)
  private static func box(_ number: Int) -> Box { Box(number) }
}
