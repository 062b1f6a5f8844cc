package import Foundation

/// The current time, while something on screen depends on it.
package struct ClockModel: Sendable, Equatable {
  /// The current date, or `nil` while nothing on screen depends on it.
  package internal(set) var time: Date?
  /// Whether `time` is out of date.
  var isOld = false
  /// Whether an update after one second is scheduled.
  var isCountingDown = false
  /// Whether the next tick of the caches' clock is scheduled.
  package internal(set) var isTicking = false
}
