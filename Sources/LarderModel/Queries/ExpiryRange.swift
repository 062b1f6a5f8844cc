public import Foundation

/// A range of expiries, or the entries that never expire.
public struct ExpiryRange: Sendable, Hashable {
  /// The exclusive lower bound; nil if there is none.
  public var after: Date?
  /// The inclusive upper bound.
  public var upTo: Date
  /// Whether the span consists of the entries that never expire.
  public var isNever = false

  /// The entries that never expire.
  public static let never: ExpiryRange = {
    var span = ExpiryRange(upTo: .distantFuture)
    span.isNever = true
    return span
  }()

  /// Creates a span.
  public init(after: Date? = nil, upTo: Date) {
    self.after = after
    self.upTo = upTo
  }

  /// Whether the span contains an expiry, where nil means never.
  public func contains(_ expires: Date?) -> Bool {
    guard !isNever, let expires, expires <= upTo else { return isNever && expires == nil }
    return after.map { expires > $0 } ?? true
  }
}
