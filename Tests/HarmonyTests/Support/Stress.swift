import Foundation

/// The duration of stress tests.
enum Stress {
  /// Returns the number of calls: `usual`, unless `STRESS_OPERATIONS` is set.
  static func operations(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init) ?? usual
  }
}
