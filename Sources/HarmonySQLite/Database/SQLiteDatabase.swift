/// A database file, read by some connections and written by another.
///
/// Pages and single rows are read on one connection and long scans on another, so that a scan
/// never delays the browsing; a third one takes a part of a scan that is made by two threads. Each
/// is opened when it is first used. All may be used from any thread.
public final class SQLiteDatabase: Sendable {
  /// What an operation is, which decides the connection that it runs on.
  public enum Lane: Sendable, Hashable {
    /// Reads few rows.
    case page
    /// Reads many rows.
    case scan
    /// Reads many rows while the connection for scans reads others.
    case sideScan
    /// Writes.
    case write
  }

  /// The path as it was given.
  public let path: String
  private let isShared: Bool
  private let page: SQLiteConnection
  private let scan: SQLiteConnection
  private let sideScan: SQLiteConnection
  private let write: SQLiteConnection

  /// Describes a database; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - busyTimeout: How long to wait for locks.
  ///   - isShared: Whether pages and scans take turns on one connection, where nobody browses while
  ///     something is scanned: each connection reads the whole schema.
  public init(path: String, busyTimeout: Duration = .seconds(5), isShared: Bool = false) {
    self.path = path
    self.isShared = isShared
    page = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.page")
    scan = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.scan")
    sideScan = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.side")
    write = SQLiteConnection(
      path: path, access: .writing, busyTimeout: busyTimeout, label: "larder.sqlite.write")
  }

  /// The connection that operations of a lane run on.
  public func connection(_ lane: Lane) -> SQLiteConnection {
    switch lane {
    case .page: page
    case .scan: isShared ? page : scan
    case .sideScan: sideScan
    case .write: write
    }
  }

  /// Runs an operation on the connection of its lane.
  ///
  /// - Throws: ``SQLiteError`` where the file cannot be opened, and what the body throws.
  public func perform<Result: Sendable>(
    _ lane: Lane, _ body: @escaping @Sendable (SQLiteSession) throws -> Result
  ) async throws -> Result {
    try await connection(lane).perform(body)
  }
}
