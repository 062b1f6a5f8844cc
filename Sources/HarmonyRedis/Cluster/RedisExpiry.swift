public import Foundation
import Harmony

/// The expiry of a key that is written.
public enum RedisExpiry: Sendable, Hashable {
  /// The expiry of the key stays as it is; a new key never expires.
  case unchanged
  /// The key never expires.
  case never
  /// The key expires after a time, which is rounded up to milliseconds.
  case after(Duration)
  /// The key expires at a date.
  case at(Date)

  /// The options of `SET`.
  var options: [RedisArgument] {
    switch self {
    case .unchanged: ["KEEPTTL"]
    case .never: []
    case .after(let time): ["PX", Self.milliseconds(time.inSeconds)]
    case .at(let date): ["PXAT", Self.milliseconds(date.timeIntervalSince1970)]
    }
  }

  /// Returns seconds in milliseconds, clamped to what a server accepts.
  private static func milliseconds(_ seconds: Double) -> RedisArgument {
    let milliseconds = (seconds * 1_000).rounded(.up)
    return RedisArgument(milliseconds.isNaN ? 1 : Int64(min(max(milliseconds, 1), 1e15)))
  }
}
