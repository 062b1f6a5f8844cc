import Foundation

/// How long sources are called by several tasks.
enum Stress {
  /// The number of calls: what is usual, or as many as `STRESS_OPERATIONS` says.
  static func operations(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init) ?? usual
  }
}
