public import Foundation

/// A span of time in which entries expire.
public struct ExpirySpan: Sendable, Hashable {
  /// Entries expire after it; nil where they may have expired at any time.
  public var after: Date?
  /// Entries expire then or before.
  public var upTo: Date

  /// Creates a span.
  public init(after: Date? = nil, upTo: Date) {
    self.after = after
    self.upTo = upTo
  }

  /// Whether what expires then does so in the span; nil is never.
  public func contains(_ expires: Date?) -> Bool {
    guard let expires, expires <= upTo else { return false }
    return after.map { expires > $0 } ?? true
  }
}
