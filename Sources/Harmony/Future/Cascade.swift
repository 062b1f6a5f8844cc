/// The work that completing one future causes in others, done in a loop instead of by recursion.
///
/// A completion hands the observers of its future to the cascade; they complete further futures,
/// whose observers wait for the next round. Each call that completes a future from outside runs
/// a cascade of its own to its end, so that what the caller does next sees all its effects.
@usableFromInline
struct Cascade: ~Copyable {
  /// A future that has ended, and who wanted to know.
  struct Step {
    let observers: FutureObservers
    let future: AnyObject?
    let error: (any Error)?
  }

  // In a chain each round is one step. It has a place of its own, and needs no array.
  private var first: Step?
  private var others: [Step] = []

  @usableFromInline
  init() {}

  /// Performs work and all that follows from it.
  @inlinable
  static func run(_ work: (inout Cascade) -> Void) {
    var cascade = Cascade()
    work(&cascade)
    cascade.finish()
  }

  /// Performs what was added, and what that adds, until nothing is left.
  @usableFromInline
  mutating func finish() {
    while let step = first {
      first = nil
      guard !others.isEmpty else {
        step.observers.notify(step.future, step.error, &self)
        continue
      }
      var round: [Step] = []
      swap(&round, &others)
      step.observers.notify(step.future, step.error, &self)
      for step in round { step.observers.notify(step.future, step.error, &self) }
    }
  }

  /// Adds the end of a future, which is told after all that was added before.
  mutating func append(_ step: Step) {
    guard !step.observers.isEmpty else { return }
    if first == nil { first = step } else { others.append(step) }
  }
}
