/// The limits on what a server can make a client store.
public struct RedisLimits: Sendable, Hashable {
  /// The maximum size of all replies to one call, in bytes; by default 256 MiB.
  public var replyBytes: Int

  /// The maximum number of elements in all replies to one call; by default about a million.
  public var replyElements: Int

  /// Creates limits; numbers less than one are treated as one.
  ///
  /// - Parameters:
  ///   - replyBytes: The maximum size of all replies to one call, in bytes.
  ///   - replyElements: The maximum number of elements in all replies to one call.
  public init(replyBytes: Int = 256 << 20, replyElements: Int = 1 << 20) {
    self.replyBytes = max(replyBytes, 1)
    self.replyElements = max(replyElements, 1)
  }
}
