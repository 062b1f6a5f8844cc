import LarderModel
import LarderDocuments

/// What lies beside the file of a document and has a say in what the document is.
///
/// Such a file need not be there: it is made by the first write.
protocol DocumentCompanion<Contents>: Sendable {
  associatedtype Contents: Document

  /// What the file would hold if it were there without any members.
  var emptyBytes: [UInt8] { get }

  /// Numbers that are others when anything beside the file has changed.
  func stamp() -> [Int]

  /// The files beside the file, whether or not they are there.
  var paths: [String] { get }

  /// What the file held before somebody cut it off; nil where nobody has kept it.
  func bytesBefore() -> [UInt8]?

  /// What is still to be changed in a document that was read from the file.
  func changes(to document: Contents) throws -> [DocumentChange]

  /// Makes the folder of the file.
  func makeFolder() throws

  /// Does something while no other program that knows of the companion writes.
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

  /// Keeps what would be lost when other bytes take the place of those of the file; the caller has
  /// the lock.
  ///
  /// - Parameter bytes: What the file holds.
  /// - Throws: Why it cannot be kept; then nothing must be written.
  func keep(_ bytes: [UInt8]) throws

  /// Takes note of what the file holds now; the caller has the lock.
  func settle(_ document: Contents) throws
}
