public import Foundation

/// A span of time in which entries expire, or that they never do.
public struct ExpirySpan: Sendable, Hashable {
  /// Entries expire after it; nil where they may have expired at any time.
  public var after: Date?
  /// Entries expire then or before.
  public var upTo: Date
  /// Whether entries are meant that never expire, and no others.
  public var isNever = false

  /// Entries that never expire.
  public static let never: ExpirySpan = {
    var span = ExpirySpan(upTo: .distantFuture)
    span.isNever = true
    return span
  }()

  /// Creates a span.
  public init(after: Date? = nil, upTo: Date) {
    self.after = after
    self.upTo = upTo
  }

  /// Whether what expires then does so in the span; nil is never.
  public func contains(_ expires: Date?) -> Bool {
    guard !isNever, let expires, expires <= upTo else { return isNever && expires == nil }
    return after.map { expires > $0 } ?? true
  }
}
