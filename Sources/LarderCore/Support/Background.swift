import Dispatch

/// Work that takes a while, on a thread of its own: those that tasks share go on with others.
package enum Background {
  private static let queue = DispatchQueue(label: "larder.background", attributes: .concurrent)

  /// Does something, and returns what it returns.
  package static func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
