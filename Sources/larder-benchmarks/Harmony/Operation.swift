/// A named operation to measure.
struct Operation: Sendable {
  let name: String

  /// The time of the upstream library for it, in nanoseconds, on a machine of similar size.
  let upstream: Double?

  /// Performs the operation the given number of times.
  let perform: @Sendable (Int) -> Void

  init(
    _ name: String, upstream: Double? = nil, _ perform: @escaping @Sendable (_ count: Int) -> Void
  ) {
    self.name = name
    self.upstream = upstream
    self.perform = perform
  }
}

/// Consumes a number, so that the compiler does not optimize away its computation.
@inline(never)
@_optimize(none)
func keep(_ number: Int) {}
