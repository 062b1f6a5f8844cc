/// What a store counts in how long its entries last.
public enum LifetimeUnit: String, Sendable, Hashable, CaseIterable {
  /// Thousand-millionths of a second.
  case nanoseconds = "ns"
  /// Millionths of a second.
  case microseconds = "us"
  /// Thousandths of a second.
  case milliseconds = "ms"
  /// Seconds.
  case seconds = "s"
  /// Minutes.
  case minutes = "min"
  /// Hours.
  case hours = "h"
  /// Days.
  case days = "d"

  /// The unit of lifetimes that a unit of moments names; nil for one that only moments have.
  ///
  /// - Parameter unit: What a user said, or a column of moments counts in.
  public init?(_ unit: ExpiryUnit) {
    self.init(rawValue: unit.rawValue)
  }

  /// How many seconds one is.
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

  /// The unit in a word.
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
