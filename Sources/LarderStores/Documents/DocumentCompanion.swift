import LarderModel

/// The lock beside the file of a document by which programs that write it take turns.
///
/// Such a file need not be there: it is made by the first write.
protocol DocumentCompanion: Sendable {
  /// What the file would hold if it were there without any members.
  var emptyBytes: [UInt8] { get }

  /// Makes the folder of the file.
  func makeFolder() throws

  /// Does something while no other program that knows of the lock writes.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for other writers.
  ///   - scan: Who is asked, while it waits, whether anybody still wants it.
  ///   - body: What to do.
  /// - Returns: What the body returns.
  /// - Throws: ``StoreError/busy(_:)`` where another writer takes too long, `CancellationError` where
  ///   nobody wants it any more, and what the body throws.
  func whileLocked<Result>(
    patience: Duration, scan: Scan?, _ body: () throws -> Result
  ) throws -> Result
}
