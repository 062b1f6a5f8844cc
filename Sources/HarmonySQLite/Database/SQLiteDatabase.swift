/// A database file with several connections for reading and one for writing.
///
/// Pages and single rows are read on one connection and long scans on another, so that a scan never
/// delays browsing. A third one reads a part of a scan that two threads share. Each connection is
/// opened on first use. All methods may be called from any thread.
public final class SQLiteDatabase: Sendable {
  /// The kind of an operation, which determines its connection.
  public enum Lane: Sendable, Hashable {
    /// A read of a few rows.
    case page
    /// A read of many rows.
    case scan
    /// A read of many rows concurrent with the one on the scan connection.
    case sideScan
    /// A write.
    case write
  }

  /// The path, as passed to the initializer.
  public let path: String
  private let isShared: Bool
  private let page: SQLiteConnection
  private let scan: SQLiteConnection
  private let sideScan: SQLiteConnection
  private let write: SQLiteConnection

  /// Creates a database without opening the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - busyTimeout: The maximum time to wait for locks.
  ///   - isShared: Whether pages and scans share one connection, if there is no browsing during
  ///     scans: each connection has to read the whole schema.
  public init(path: String, busyTimeout: Duration = .seconds(5), isShared: Bool = false) {
    self.path = path
    self.isShared = isShared
    page = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.page")
    scan = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.scan")
    sideScan = SQLiteConnection(path: path, busyTimeout: busyTimeout, label: "larder.sqlite.side")
    write = SQLiteConnection(
      path: path, access: .writing, busyTimeout: busyTimeout, label: "larder.sqlite.write")
  }

  /// Returns the connection for operations of a lane.
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
  /// - Throws: ``SQLiteError`` if the file cannot be opened, and the error of the closure.
  public func perform<Result: Sendable>(
    _ lane: Lane, _ body: @escaping @Sendable (SQLiteSession) throws -> Result
  ) async throws -> Result {
    try await connection(lane).perform(body)
  }
}
