import Foundation

/// How long sources are called by several tasks.
enum Stress {
  /// The number of calls: what is usual, or as many as `STRESS_OPERATIONS` says.
  static func operations(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init) ?? usual
  }

  /// The time that the thread which asks has used the processor for, whatever others do.
  static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
