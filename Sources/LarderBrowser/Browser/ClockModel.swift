package import Foundation

/// What time it is, while something on screen depends on it.
package struct ClockModel: Sendable, Equatable {
  /// The time of day; nil while nothing on screen depends on it.
  package internal(set) var time: Date?
  /// Whether the time has passed on since it was told, as nothing on screen depended on it.
  var isOld = false
  /// Whether it will be told what the time is then.
  var isCountingDown = false
  /// Whether the time of the caches will be told.
  package internal(set) var isTicking = false
}
