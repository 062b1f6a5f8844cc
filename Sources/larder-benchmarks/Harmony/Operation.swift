/// Something to measure: an operation and how to do it many times.
struct Operation: Sendable {
  let name: String

  /// What upstream takes for it, in nanoseconds, on a machine of the size of this one.
  let upstream: Double?

  /// Performs it so many times.
  let perform: @Sendable (Int) -> Void

  init(
    _ name: String, upstream: Double? = nil, _ perform: @escaping @Sendable (_ count: Int) -> Void
  ) {
    self.name = name
    self.upstream = upstream
    self.perform = perform
  }
}

/// Takes a number in, so that the compiler cannot leave out what computes it.
@inline(never)
@_optimize(none)
func keep(_ number: Int) {}
