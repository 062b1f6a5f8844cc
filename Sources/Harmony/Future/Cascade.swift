/// The queue of notifications that completing a future causes, processed in a loop instead of
/// recursively.
///
/// A completion adds the observers of its future to the cascade. Observers complete further
/// futures, whose observers wait for the next round. Each call that completes a future from outside
/// runs its own cascade to the end, so that the caller then sees all of its effects.
@usableFromInline
struct Cascade: ~Copyable {
  /// A future that has ended, with its observers.
  struct Step {
    let observers: FutureObservers
    let future: AnyObject?
    let error: (any Error)?
  }

  // In a chain, each round has one step, which is stored inline without an array.
  private var first: Step?
  private var others: [Step] = []

  @usableFromInline
  init() {}

  /// Performs work and everything that it causes.
  @inlinable
  static func run(_ work: (inout Cascade) -> Void) {
    var cascade = Cascade()
    work(&cascade)
    cascade.finish()
  }

  /// Notifies observers, including those that are added meanwhile, until none are left.
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

  /// Adds the end of a future, which is notified after all steps added before.
  mutating func append(_ step: Step) {
    guard !step.observers.isEmpty else { return }
    if first == nil { first = step } else { others.append(step) }
  }
}
