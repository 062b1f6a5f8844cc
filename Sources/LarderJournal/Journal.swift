import LarderFiles
import Foundation
import Harmony
import HarmonySQLite
public import LarderModel

/// The changes that were made to stores, in a file, so that they can be undone by a later run.
///
/// One SQLite database that only its owner may read, made when the first change is recorded. Steps
/// are on the disk before a store is touched. Several processes may use it at once.
public final class Journal: Sendable {
  /// Where the file is.
  public let path: String
  /// The most that all steps together may take, in bytes of keys and values; the oldest go first.
  public let limit: Int
  private let file: OwnerOnlyFile
  private let connection: SQLiteConnection
  /// What tells other runs that the steps of this one are not interrupted.
  let lock: RunLock

  /// Describes a journal; no file is made yet.
  public init(path: String, limit: Int = 64 << 20) {
    self.path = path
    self.limit = limit
    file = OwnerOnlyFile(path, besides: ["-wal", "-shm", "-journal"])
    lock = RunLock(in: path.parentPath)
    connection = SQLiteConnection(path: path, access: .creating, label: "larder.journal")
  }

  /// The journal in the folder for a user's state, `$XDG_STATE_HOME/larder`.
  public convenience init(environment: [String: String]) {
    self.init(path: HomePath.larder(.state, environment) + "/journal.db")
  }

  /// The steps of some stores, or of all, latest first.
  ///
  /// - Parameters:
  ///   - place: The stores; nil for all.
  ///   - limit: The maximum number of steps.
  /// - Returns: The steps; none where there is no journal yet.
  /// - Throws: `StoreError` where the file cannot be read.
  public func steps(
    of place: JournalPlace? = nil, limit: Int = .max
  ) async throws -> [JournalRecord] {
    try await read(whereAbsent: []) { try $0.records(of: place, limit: limit) }
  }

  /// The step of a number, nil where the journal has none of it.
  public func step(number: Int64) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.record(number) }
  }

  /// The step of some stores, or of any, that is to be taken back or done again next.
  ///
  /// - Parameters:
  ///   - isRedo: Whether it is to be done again: then no later change of its store may stand
  ///     against it.
  ///   - place: The stores; nil for all.
  /// - Returns: The step; nil where there is none. One that was interrupted is settled when it is
  ///   taken back, and may turn out never to have been made.
  /// - Throws: `StoreError` where the file cannot be read.
  public func next(
    isRedo: Bool, of place: JournalPlace? = nil
  ) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.last(isRedo: isRedo, of: place) }
  }

  /// The step of some stores, or of any, that was undone last of those that ``next(isRedo:of:)`` does
  /// not find, as their store was changed since: each can be done again by its number.
  ///
  /// - Parameter place: The stores; nil for all.
  /// - Returns: The step; nil where there is none.
  /// - Throws: `StoreError` where the file cannot be read.
  public func lastUndone(of place: JournalPlace? = nil) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.lastUndone(of: place) }
  }

  /// Reads the step that a query means with its entries.
  func step(_ request: ReplayRequest, at location: StoreLocation) async throws -> RecordedStep? {
    try await read(whereAbsent: nil) { table in
      try table.record(request, at: location).map { try table.step($0) }
    }
  }

  /// Keeps what became of a step, which is forgotten where nothing was ever done.
  func settle(_ step: RecordedStep) async throws {
    try await write(.settling) { try $0.settle(step) }
  }

  /// What the file is opened for, as far as a user has to be told what became of it.
  enum Purpose {
    case reading, writing
    /// Writing what became of a change that was made.
    case settling
  }

  /// Reads the file as it is at one moment, if there is one.
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

  /// Changes the file in one transaction.
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

  /// Changes the file in one transaction while the calling thread waits.
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

  private func table(_ session: SQLiteSession) -> JournalTable {
    JournalTable(session, lock, limit: limit)
  }

  /// Makes the file, and tells other runs that this one is at work.
  private func prepareFile() throws {
    try file.prepare()
    try lock.take()
  }

  /// What an error means to a user.
  private func translate(_ error: any Error, _ purpose: Purpose) -> any Error {
    let verb = purpose == .reading ? "read" : "written"
    let reason: String
    switch error {
    case let refusal as TrustedPath.Refusal:
      return StoreError.journal(
        purpose == .reading
          ? "the journal is not read, as \(refusal)"
          : "no change can be recorded, as \(refusal); nothing was written. --no-journal writes, but "
            + "the change cannot be undone")
    case let error as SQLiteError where error.code.primary == .busy:
      let outcome = purpose == .settling ? "" : "; nothing was \(verb). Try again"
      return StoreError.busy("the journal \(path) is being written by another larder" + outcome)
    case let error as SQLiteError: reason = error.message
    case let obstacle as OwnerOnlyFile.Obstacle: reason = obstacle.reason
    case let failure as FileFailure: reason = failure.message
    default: return error
    }
    let outcome =
      switch purpose {
      case .reading:
        "; the changes that it holds can be neither listed nor undone. Check the file and its "
          + "permissions, or move it away to begin a new one"
      case .settling: ""
      case .writing:
        "; nothing was written. Check the file, its permissions and the room on its disk, move it away "
          + "to begin a new one, or use --no-journal: the change then cannot be undone"
      }
    return StoreError.journal("the journal \(path) cannot be \(verb): \(reason)" + outcome)
  }
}
