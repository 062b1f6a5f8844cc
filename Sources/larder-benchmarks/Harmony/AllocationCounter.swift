import Synchronization

/// Counts the heap allocations of all threads while a closure runs.
///
/// This program replaces `malloc`, as the C library permits. Swift does not accept that name for a
/// function, so `Package.swift` has the linker define it. The replacement counts while counting is
/// on, and forwards every call to the C library.
enum AllocationCounter {
  fileprivate static let isCounting = Atomic(false)
  fileprivate static let count = Atomic(0)

  /// Counts the allocations that happen while a closure runs.
  static func allocations(during body: () -> Void) -> Int {
    let before = count.load(ordering: .relaxed)
    isCounting.store(true, ordering: .relaxed)
    body()
    isCounting.store(false, ordering: .relaxed)
    return count.load(ordering: .relaxed) - before
  }
}

/// The C library's own `malloc`, under its internal name.
@_silgen_name("__libc_malloc")
private func libraryMalloc(_ size: Int) -> UnsafeMutableRawPointer?

/// The replacement for `malloc` that every library in this process calls.
@c(larder_malloc)
public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
  if AllocationCounter.isCounting.load(ordering: .relaxed) {
    AllocationCounter.count.add(1, ordering: .relaxed)
  }
  return libraryMalloc(size)
}
