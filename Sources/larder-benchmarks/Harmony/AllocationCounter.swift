import Synchronization

/// Counts what is allocated on the heap while a closure runs, by any thread.
///
/// This program brings its own `malloc`, as the C library allows; the compiler refuses the name, so
/// it is given by the linker, in `Package.swift`. It counts while it is told to, and leaves the work
/// to the library's.
enum AllocationCounter {
  fileprivate static let isCounting = Atomic(false)
  fileprivate static let count = Atomic(0)

  /// Runs a closure and counts.
  ///
  /// - Returns: The number of allocations.
  static func allocations(during body: () -> Void) -> Int {
    let before = count.load(ordering: .relaxed)
    isCounting.store(true, ordering: .relaxed)
    body()
    isCounting.store(false, ordering: .relaxed)
    return count.load(ordering: .relaxed) - before
  }
}

/// The C library's own name for its `malloc`.
@_silgen_name("__libc_malloc")
private func libraryMalloc(_ size: Int) -> UnsafeMutableRawPointer?

/// What every library in this process calls when it calls `malloc`.
@c(larder_malloc)
public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
  if AllocationCounter.isCounting.load(ordering: .relaxed) {
    AllocationCounter.count.add(1, ordering: .relaxed)
  }
  return libraryMalloc(size)
}
