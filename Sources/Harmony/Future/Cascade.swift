/// The work that completing one future causes in others, done in a loop instead of by recursion.
///
/// A completion hands the observers of its future to the cascade; they complete further futures,
/// whose observers wait for the next round. Each call that completes a future from outside runs
/// a cascade of its own to its end, so that what the caller does next sees all its effects.
struct Cascade: ~Copyable {
  typealias Step = (inout Cascade) -> Void

  private var round: [Step] = []

  /// Performs work and all that follows from it.
  static func run(_ work: (inout Cascade) -> Void) {
    var cascade = Cascade()
    work(&cascade)
    var current: [Step] = []
    while !cascade.round.isEmpty {
      swap(&current, &cascade.round)
      for step in current { step(&cascade) }
      current.removeAll(keepingCapacity: true)
    }
  }

  /// Adds work that is done after all that was added before.
  mutating func append(_ step: @escaping Step) {
    round.append(step)
  }
}
