import CSQLite
import Dispatch
import Foundation
import Harmony

/// One connection to a database file, on a serial queue of its own.
///
/// Opened when first used, and opened again when the file was replaced. Between operations no
/// lock is held. A reading connection creates no file, whatever the journal mode. May be used
/// from any thread; operations run one after the other, on the connection's queue.
public final class SQLiteConnection: @unchecked Sendable {
  // Invariant: `session`, `lockless`, `file`, `state` and `resolvedPath` are touched on `queue` only.

  /// What a connection may do to its file.
  public enum Access: Sendable, Hashable {
    /// Nothing but reading.
    case reading
    /// Reading and writing a file that exists.
    case writing
    /// Reading and writing, making the file if there is none.
    case creating
  }

  /// The path as it was given.
  public let path: String
  private let access: Access
  private let busyTimeout: Duration
  private let queue: DispatchQueue
  private var session: SQLiteSession?
  private var file: SQLiteFile?
  private var state: SQLiteFileState?
  private var resolvedPath: String?
  /// A session that reads beside a living log without locks, and what it has read.
  private var lockless: (session: SQLiteSession, state: SQLiteFileState)?
  private static let attempts = 8
  /// How many such sessions may be left behind while the file is open: each costs two descriptors.
  private static let maximumLeft = 24
  /// Which connection the queue that runs belongs to.
  private static let current = DispatchSpecificKey<ObjectIdentifier>()

  /// Describes a connection; nothing is opened yet.
  public init(
    path: String, access: Access = .reading, busyTimeout: Duration = .seconds(5),
    label: String = "HarmonySQLite"
  ) {
    self.path = path
    self.access = access
    self.busyTimeout = busyTimeout
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
  }

  deinit {
    // The session goes before the file, whose descriptor must be closed last.
    closeSession()
    leaveLockless()
    file = nil
  }

  /// Runs an operation on the connection's queue, and calls back there with what came of it.
  ///
  /// An operation on a file that is read without locks is run again if the file changed
  /// meanwhile, so reading bodies must not have effects that add up.
  public func perform<Result: Sendable>(
    cancellation: SQLiteCancellation? = nil,
    _ body: @escaping @Sendable (SQLiteSession) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    queue.async {
      completion(Swift.Result { try self.run(cancellation, body) })
    }
  }

  /// Runs an operation on the connection's queue while the calling thread waits.
  ///
  /// - Throws: ``SQLiteError`` where the file cannot be opened, and what the body throws.
  @available(*, noasync, message: "blocks the thread; use the asynchronous perform")
  public func wait<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
    try queue.sync { try run(nil, body) }
  }

  /// Runs an operation on the connection's queue.
  ///
  /// Cancelling the task interrupts the operation.
  ///
  /// - Throws: ``SQLiteError`` where the file cannot be opened, and what the body throws.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Result
  ) async throws -> Result {
    let cancellation = SQLiteCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform(cancellation: cancellation, body) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Closes the file until the next operation.
  ///
  /// Waits for the operations before. Called on the connection's queue, as in an operation or its
  /// completion, it returns at once, and the file is closed afterwards.
  public func close() {
    if DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) {
      queue.async { self.closeAll() }
    } else {
      queue.sync { closeAll() }
    }
  }

  private func closeAll() {
    closeSession()
    leaveLockless()
  }

  private func closeSession() {
    // Without locks of its own, SQLite closes the descriptor at once, and with it go the locks
    // that other connections of this process hold on the file.
    if state?.access == .abandonedLog, let session { file?.keep(session) }
    session = nil
    state = nil
  }

  /// Gives up the session that has no locks: its descriptors stay open as long as the file.
  private func leaveLockless() {
    if let lockless { file?.keep(lockless.session) }
    lockless = nil
  }

  private func run<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    do {
      if cancellation?.isCancelled == true { throw SQLiteError.interrupted }
      try SQLiteFile.check(path)
      let isReading = access == .reading
      return try isReading ? runReading(cancellation, body) : runWriting(cancellation, body)
    } catch let error as SQLiteError {
      throw error.of(path)
    }
  }

  private func runReading<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    for attempt in 0..<Self.attempts {
      let before = try look()
      if attempt < 2, before.canBeReadWithoutLocks,
        let result = try runLockless(before, cancellation, body)
      {
        return try result.get()
      }
      let session = try readingSession(before)
      let result = Swift.Result { try session.operate(cancellation, body) }
      if before.access.isLive {
        // With a log, an open connection holds a lock that keeps others from tidying up.
        if before.access == .sharedLog { closeSession() }
        do {
          return try result.get()
        } catch {
          guard cancellation?.isCancelled != true, let after = try? look(),
            after.access != before.access
          else { throw error }
          // Its program has opened or closed the database since it was looked at.
          closeSession()
          continue
        }
      }
      if let after = try? look(), before.allows(after) { return try result.get() }
      closeSession()
    }
    throw SQLiteError(.busy, "the file changes faster than it can be read")
  }

  /// Reads beside a living log without its locks: a reader that has them keeps a program that closes
  /// its database at that moment from taking the log away.
  ///
  /// - Returns: What came of it; nil where somebody wrote meanwhile, or it is to be read with locks.
  private func runLockless<Result>(
    _ before: SQLiteFileState, _ cancellation: SQLiteCancellation?,
    _ body: (SQLiteSession) throws -> Result
  ) throws -> Swift.Result<Result, any Error>? {
    if let lockless, !lockless.state.isUntouched(in: before) { leaveLockless() }
    guard lockless != nil || (file?.keptSessions ?? .max) < Self.maximumLeft else { return nil }
    closeSession()
    let session = try lockless?.session ?? open(before, as: .abandonedLog)
    lockless = (session, before)
    let result = Swift.Result { try session.operate(cancellation, body) }
    if let after = try? look(), before.isUntouched(in: after) { return result }
    leaveLockless()
    if cancellation?.isCancelled == true { return result }
    return nil
  }

  private func runWriting<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    let session = try writingSession()
    // With a log, closing tidies up and gives up the lock of an open connection.
    defer { if session.isStale || (try? look())?.isLogged != false { closeSession() } }
    return try session.operate(cancellation, body)
  }

  /// Looks at the file as it is now.
  private func look() throws(SQLiteError) -> SQLiteFileState {
    if let file, let resolvedPath, FileStamp(path: path)?.identity == file.identity {
      return try SQLiteFileState(path: path, resolvedPath: resolvedPath, file: file)
    }
    closeSession()
    leaveLockless()
    let opened = try SQLiteFile.at(path)
    let resolved = SQLiteFile.withoutLinks(path)
    file = opened
    resolvedPath = resolved
    return try SQLiteFileState(path: path, resolvedPath: resolved, file: opened)
  }

  private func readingSession(_ now: SQLiteFileState) throws(SQLiteError) -> SQLiteSession {
    if let session, let state, state.allows(now) { return session }
    closeSession()
    let opened = try open(now, as: now.access)
    session = opened
    state = now
    return opened
  }

  /// Opens the file to be read.
  private func open(
    _ now: SQLiteFileState, as access: SQLiteFileState.Access
  ) throws(SQLiteError) -> SQLiteSession {
    try SQLiteFile.checkBeside(path)
    let parameters =
      switch access {
      case .shared, .sharedLog:
        "mode=ro" + (SQLiteReadingFiles.locking.map { "&vfs=" + $0 } ?? "")
      case .immutable: "mode=ro&immutable=1"
      case .abandonedLog: "mode=ro&vfs=" + (SQLiteReadingFiles.lockless ?? "unix-none")
      }
    let opened = try SQLiteSession(
      uri: uri(parameters), flags: SQLITE_OPEN_READONLY, busyTimeout: busyTimeout)
    opened.setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    opened.file = now.stamp.identity
    guard access == .abandonedLog else { return opened }
    // Before the first read, this keeps the log's index in memory instead of a new file.
    do throws(SQLiteError) {
      try opened.execute("PRAGMA locking_mode=EXCLUSIVE")
    } catch {
      file?.keep(opened)
      throw error
    }
    return opened
  }

  private func writingSession() throws(SQLiteError) -> SQLiteSession {
    if access == .writing {
      let now = try look()
      if let session, let state, state.stamp.identity == now.stamp.identity { return session }
      closeSession()
      state = now
    } else {
      // Closes the session if its file is gone or was replaced: a write to it would be lost.
      if session != nil { _ = try? look() }
      if let session { return session }
    }
    let isCreating = access == .creating
    try SQLiteFile.checkBeside(path)
    let opened = try SQLiteSession(
      uri: uri(isCreating ? "mode=rwc" : "mode=rw"),
      flags: SQLITE_OPEN_READWRITE | (isCreating ? SQLITE_OPEN_CREATE : 0),
      busyTimeout: busyTimeout)
    // What programs that declare foreign keys mean; SQLite's default ignores them.
    try opened.execute("PRAGMA foreign_keys=ON")
    // A file that was only just made is looked at for the first time.
    opened.file = try look().stamp.identity
    session = opened
    return opened
  }

  /// The path as a URI, in which no character of it can be taken for a parameter.
  private func uri(_ parameters: String) -> String {
    let path = PercentCoding.escaped(SQLiteFile.withoutLinks(path).utf8, besides: "/.-_")
    return "file:\(path)?\(parameters)"
  }
}
