/// What the machine does at the moment for the least that a read costs.
///
/// Upstream's times were taken where a look-up in a dictionary and one allocation take 65 ns. The
/// same machine may be a third slower an hour later, so a ratio means something only beside what
/// these two take in the same second.
enum Yardstick {
  /// What a look-up and an allocation took where upstream was measured, in nanoseconds.
  static let upstream = 65.0

  /// Looks up a text among 1,024 and makes an object of what is found.
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
