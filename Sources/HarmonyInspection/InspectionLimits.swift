/// How much an ``Inspector`` does for those who look.
///
/// Whoever asks for more waits or is refused; the program goes on.
public struct InspectionLimits: Sendable, Hashable {
  /// The longest message in bytes, in either direction; 16 MiB at first.
  public var messageSize: Int
  /// How many may look at the same time; 8 at first.
  public var connections: Int
  /// How many requests of each are answered at the same time, while others wait; 16 at first.
  public var requests: Int
  /// How many entries an answer lists at most; 1,000 at first.
  public var entries: Int
  /// How many seconds a message may take to arrive or to be taken; 30 at first.
  public var patience: Double

  /// Sets limits; what is below one counts as one.
  public init(
    messageSize: Int = 16 << 20, connections: Int = 8, requests: Int = 16, entries: Int = 1_000,
    patience: Double = 30
  ) {
    self.messageSize = min(max(messageSize, 1), Int(Int32.max))
    self.connections = max(connections, 1)
    self.requests = max(requests, 1)
    self.entries = max(entries, 1)
    self.patience = patience.isFinite ? min(max(patience, 0.001), 86_400) : 30
  }
}
