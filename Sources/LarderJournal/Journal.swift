import LarderFiles
import Foundation
import Harmony
import HarmonySQLite
public import LarderModel

/// A file that records the changes to stores, so that a later run can undo them.
///
/// It is an SQLite database that only its owner may read, created when the first change is
/// recorded. A change is on disk before its store is modified. Several processes may use it
/// concurrently.
public final class Journal: Sendable {
  /// The path of the file.
  public let path: String
  /// The maximum size of all changes together, in bytes of keys and values; the oldest are removed
  /// first.
  public let limit: Int
  private let file: OwnerOnlyFile
  private let connection: SQLiteConnection
  /// The lock that shows other runs that the changes of this one are not interrupted.
  let lock: RunLock

  /// Creates a journal, without creating its file.
  public init(path: String, limit: Int = 64 << 20) {
    self.path = path
    self.limit = limit
    file = OwnerOnlyFile(path, besides: ["-wal", "-shm", "-journal"])
    lock = RunLock(in: path.parentPath)
    connection = SQLiteConnection(path: path, access: .creating, label: "larder.journal")
  }

  /// Creates the journal in the user's state folder, `$XDG_STATE_HOME/larder`.
  public convenience init(environment: [String: String]) {
    self.init(path: HomePath.larder(.state, environment) + "/journal.db")
  }

  /// Returns the changes of some stores, or of all, newest first.
  ///
  /// - Parameters:
  ///   - place: The stores, or nil for all.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes; an empty array if there is no journal yet.
  /// - Throws: `StoreError` if the file cannot be read.
  public func steps(
    of place: JournalScope? = nil, limit: Int = .max
  ) async throws -> [JournalRecord] {
    try await read(whereAbsent: []) { try $0.records(of: place, limit: limit) }
  }

  /// Returns the change with a number, or nil if the journal does not contain it.
  public func step(number: Int64) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.record(number) }
  }

  /// Returns the next change to undo or redo in some stores, or in any.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to look for a change to redo, which requires that its store was not
  ///     changed since the undo.
  ///   - place: The stores, or nil for all.
  /// - Returns: The change, or nil if there is none. An interrupted change is resolved when it is
  ///   undone, and may turn out never to have been made.
  /// - Throws: `StoreError` if the file cannot be read.
  public func next(isRedo: Bool, of place: JournalScope? = nil) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.last(isRedo: isRedo, of: place) }
  }

  /// Returns the most recently undone change that ``next(isRedo:of:)`` skips because its store was
  /// changed since; such a change can still be redone by its number.
  ///
  /// - Parameter place: The stores, or nil for all.
  /// - Returns: The change, or nil if there is none.
  /// - Throws: `StoreError` if the file cannot be read.
  public func lastUndone(of place: JournalScope? = nil) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.lastUndone(of: place) }
  }

  /// Returns the change that a request refers to, with its entries.
  func step(_ request: ReplayRequest, at location: StoreLocation) async throws -> RecordedChange? {
    try await read(whereAbsent: nil) { table in
      try table.record(request, at: location).map { try table.step($0) }
    }
  }

  /// The purpose of opening the file, which determines the error messages.
  enum Purpose {
    case reading, writing
    /// Recording the outcome of a change that was made.
    case settling
  }

  /// Reads from the file in one transaction, or returns `absent` if it does not exist.
  func read<Result: Sendable>(
    whereAbsent absent: Result, _ body: @escaping @Sendable (JournalTable) throws -> Result
  ) async throws -> Result {
    do {
      guard try file.exists() else { return absent }
      try TrustedPath.check(file: path)
      return try await connection.perform { [self] session in
        try JournalSchema.prepare(session, isToWrite: false)
        return try session.read { try body(table(session)) }
      }
    } catch {
      throw translate(error, .reading)
    }
  }

  /// Writes to the file in one transaction.
  func write<Result: Sendable>(
    _ purpose: Purpose, _ body: @escaping @Sendable (JournalTable) throws -> Result
  ) async throws -> Result {
    do {
      if purpose == .writing { try prepareFile() }
      return try await connection.perform { [self] session in try write(session, body) }
    } catch {
      throw translate(error, purpose)
    }
  }

  /// Writes to the file in one transaction, blocking the calling thread.
  func writeWaiting<Result>(_ body: (JournalTable) throws -> Result) throws -> Result {
    do {
      try prepareFile()
      return try connection.wait { try write($0, body) }
    } catch {
      throw translate(error, .writing)
    }
  }

  private func write<Result>(
    _ session: SQLiteSession, _ body: (JournalTable) throws -> Result
  ) throws -> Result {
    try JournalSchema.prepare(session, isToWrite: true)
    return try session.write { try body(table(session)) }
  }

  private func table(_ session: SQLiteSession) throws -> JournalTable {
    JournalTable(
      session: session, lock: lock, limit: limit, records: try JournalSchema.records(session))
  }

  /// Creates the file, and takes the lock that shows other runs that this one is active.
  private func prepareFile() throws {
    try file.prepare()
    try lock.take()
  }

  /// Converts an error to one with a message for the user.
  private func translate(_ error: any Error, _ purpose: Purpose) -> any Error {
    let reason: String
    switch error {
    case let refusal as TrustedPath.Refusal: return StoreError.untrusted(refusal, purpose)
    case let error as SQLiteError where error.code.primary == .busy:
      return StoreError.busyJournal(path, purpose)
    case let error as SQLiteError: reason = error.message
    case let obstacle as OwnerOnlyFile.Obstacle: reason = obstacle.reason
    case let failure as FileFailure: reason = failure.message
    default: return error
    }
    return StoreError.journal(path, reason, purpose)
  }
}

/// The stores to look up changes for.
public enum JournalScope: Sendable, Hashable, CustomStringConvertible {
  /// One store; all its collections if none is named.
  case store(StoreLocation)
  /// A directory and every store inside it, by its path without links.
  case everything(inside: String)

  /// The SQL condition for the changes of these stores, which uses ``values``.
  var condition: String {
    switch self {
    case .store: "(s.path = ?1 AND (?2 IS NULL OR s.collection IS ?2))"
    case .everything: "(s.path = ?1 OR substr(s.path, 1, length(?2)) = ?2)"
    }
  }

  /// The parameters of ``condition``.
  var values: [SQLiteValue] {
    switch self {
    case .store(let location):
      [.text(location.path), location.collection.map { .text($0) } ?? .null]
    case .everything(let path):
      [.text(path), .text(path.hasSuffix("/") ? path : path + "/")]
    }
  }

  /// The location as the user would type it.
  public var description: String {
    switch self {
    case .store(let location): location.description
    case .everything(let path): path
    }
  }
}
