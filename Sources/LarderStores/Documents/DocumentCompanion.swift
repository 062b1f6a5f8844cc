import LarderModel

/// The lock next to a document that coordinates the programs that write it.
///
/// The document itself need not exist; the first write creates it.
protocol DocumentCompanion: Sendable {
  /// The contents of a document without members.
  var emptyBytes: [UInt8] { get }

  /// Creates the folder of the document.
  func makeFolder() throws

  /// Calls a closure while holding the lock, so that no cooperating program writes the document.
  ///
  /// - Parameters:
  ///   - patience: The maximum time to wait for other writers.
  ///   - scan: The scan that can cancel the wait.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: ``StoreError/busy(_:)`` on a timeout, `CancellationError` if the scan is cancelled,
  ///   and errors of the closure.
  func whileLocked<Result>(
    patience: Duration, scan: Scan?, _ body: () throws -> Result
  ) throws -> Result
}
