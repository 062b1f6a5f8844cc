package import Foundation

/// The time of day, while something on screen depends on it.
package struct ClockModel: Sendable, Equatable {
  /// The time of day; nil while nothing on screen depends on it.
  package internal(set) var time: Date?
  /// Whether `time` is out of date.
  var isOld = false
  /// Whether the next second is waited for.
  var isCountingDown = false
  /// Whether the next tick of the caches' clock is waited for.
  package internal(set) var isTicking = false
}
