/// The unit of a stored TTL.
public enum LifetimeUnit: String, Sendable, Hashable, CaseIterable {
  /// Nanoseconds.
  case nanoseconds = "ns"
  /// Microseconds.
  case microseconds = "us"
  /// Milliseconds.
  case milliseconds = "ms"
  /// Seconds.
  case seconds = "s"
  /// Minutes.
  case minutes = "min"
  /// Hours.
  case hours = "h"
  /// Days.
  case days = "d"

  /// Creates the TTL unit with the same name as a timestamp unit, or returns nil if there is none.
  ///
  /// - Parameter unit: The unit that the user chose or that a column of timestamps has.
  public init?(_ unit: ExpiryUnit) {
    self.init(rawValue: unit.rawValue)
  }

  /// The length of the unit in seconds.
  public var seconds: Double {
    switch self {
    case .nanoseconds: 1e-9
    case .microseconds: 1e-6
    case .milliseconds: 1e-3
    case .seconds: 1
    case .minutes: 60
    case .hours: 3_600
    case .days: 86_400
    }
  }

  /// The name of the unit in the plural.
  public var spoken: String {
    switch self {
    case .nanoseconds: "nanoseconds"
    case .microseconds: "microseconds"
    case .milliseconds: "milliseconds"
    case .seconds: "seconds"
    case .minutes: "minutes"
    case .hours: "hours"
    case .days: "days"
    }
  }
}
