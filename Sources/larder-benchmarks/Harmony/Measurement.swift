/// The measured cost of an operation.
struct Measurement {
  /// The time of one operation in the fastest round, as disturbances only ever add time.
  let nanoseconds: Double

  /// The number of heap allocations per operation.
  let allocations: Double

  /// Measures an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - rounds: The number of rounds, of about two milliseconds each.
  init(_ operation: Operation, rounds: Int) {
    var count = 16
    while Self.time({ operation.perform(count) }) < 2_000_000, count < 1 << 24 { count *= 2 }
    var fastest = Double.infinity
    for _ in 0..<max(1, rounds) {
      fastest = min(fastest, Self.time { operation.perform(count) } / Double(count))
    }
    nanoseconds = fastest
    let counted = 1_024
    allocations =
      Double(AllocationCounter.allocations { operation.perform(counted) })
      / Double(counted)
  }

  /// Returns the time that a closure takes, in nanoseconds.
  static func time(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body).milliseconds * 1_000_000
  }
}
