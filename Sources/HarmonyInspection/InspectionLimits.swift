/// The limits of an ``Inspector`` on the work it does for clients.
///
/// A client that exceeds them waits or gets an error; the program is not affected.
public struct InspectionLimits: Sendable, Hashable {
  /// The maximum size of a message in bytes, in either direction; by default 16 MiB.
  public var messageSize: Int
  /// The maximum number of connected clients; by default 8.
  public var connections: Int
  /// The maximum number of requests of each client to process at the same time; by default 16.
  public var requests: Int
  /// The maximum number of entries listed in an answer; by default 1,000.
  public var entries: Int
  /// The maximum time to receive or send a message, in seconds; by default 30.
  public var patience: Double

  /// Creates limits; counts and sizes less than one are treated as one.
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
